// Catalog: see catalog.h. By kind, and by name within a kind.
#include "schema/catalog.h"

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr CatalogEntry kCatalog[] = {
    {"aztables", "module",
     "CREATE VIRTUAL TABLE name USING aztables([option=value | property TYPE [PROPERTY 'Remote'], "
     "...])",
     "A remote table as an SQL table: PartitionKey, RowKey, Timestamp, the declared or inferred "
     "properties, and hidden _etag, _entity and _command.",
     "CREATE VIRTUAL TABLE movies USING aztables(table=Movies, connection=demo, ReleaseYear "
     "INT32)"},

    {"aztables_connect", "function", "aztables_connect(name, how)",
     "Registers a connection in memory for this database connection; how is 'env:VAR', 'file:PATH' "
     "or a connection string. Sends nothing. Returns one line without secrets.",
     "SELECT aztables_connect('prod', 'env:PROD')"},
    {"aztables_create_table", "function", "aztables_create_table(table)",
     "Creates a remote table: 1 if done, 0 if it existed. An error if writing is not allowed.",
     "SELECT aztables_create_table('prod.Orders')"},
    {"aztables_datetime", "function", "aztables_datetime(time [, modifier...])",
     "The instant as YYYY-MM-DDTHH:MM:SS.fffffffZ. Takes SQLite's times and modifiers, and any ISO "
     "8601 text. A value that is not a time is an error.",
     "SELECT aztables_datetime('now', '-90 days')"},
    {"aztables_disconnect", "function", "aztables_disconnect(name)",
     "Forgets a connection and wipes its key: 1 if there was one, 0 if not.",
     "SELECT aztables_disconnect('prod')"},
    {"aztables_drop_table", "function", "aztables_drop_table('connection.table')",
     "Deletes a remote table with all its entities: 1 if done, 0 if there was none. The connection "
     "must be named.",
     "SELECT aztables_drop_table('prod.Orders')"},
    {"aztables_get", "function", "aztables_get(entity, name)",
     "The value of a property of any type in an _entity text; NULL if the property is missing.",
     "SELECT aztables_get(_entity, 'Seen') FROM movies"},
    {"aztables_group_entity", "function", "aztables_group_entity(name, value [, type])",
     "An aggregate: the _entity text with these properties. Without a type, a value is stored as "
     "in a column of type ANY. NULL is not stored.",
     "SELECT aztables_group_entity(name, value, type) FROM aztables_each('{\"Views\":7}')"},
    {"aztables_prefix_end", "function", "aztables_prefix_end(text)",
     "The smallest text above every text with this prefix; the BLOB x'' if there is none.",
     "SELECT Rating FROM movies WHERE RowKey >= 'Sh' AND RowKey < aztables_prefix_end('Sh')"},
    {"aztables_rename", "function", "aztables_rename(entity, name, new_name)",
     "The _entity text with the property renamed, its type and exact value kept. Unchanged if the "
     "property is missing. An error if new_name exists.",
     "SELECT aztables_rename(_entity, 'Time', 'Seconds') FROM movies"},
    {"aztables_reverse_ticks", "function", "aztables_reverse_ticks(time [, modifier...])",
     "19 digits that sort the newest first, for keys. Given only such digits, it returns the "
     "ticks. Takes the modifiers of aztables_datetime.",
     "SELECT aztables_reverse_ticks('now')"},
    {"aztables_schema", "function", "aztables_schema(table)",
     "The CREATE VIRTUAL TABLE with the columns that a sample of the table has, ready to paste; at "
     "most 10 requests.",
     "SELECT aztables_schema('prod.Orders')"},
    {"aztables_set", "function", "aztables_set(entity, name, value [, type])",
     "The _entity text with the property set; NULL removes it. Without a type, an existing "
     "property keeps its type. A new one gets the type that a column of type ANY writes.",
     "SELECT aztables_set(_entity, 'Seen', 1, 'BOOLEAN') FROM movies"},
    {"aztables_size", "function", "aztables_size(PartitionKey, RowKey, _entity)",
     "The bytes of an entity as Azure counts them for its limit of 1 MiB: keys, names and values.",
     "SELECT aztables_size(PartitionKey, RowKey, _entity) FROM movies"},
    {"aztables_ticks", "function", "aztables_ticks(time [, modifier...])",
     "100 ns since year 1, 19 digits that sort the oldest first, for keys. Takes the modifiers of "
     "aztables_datetime.",
     "SELECT aztables_ticks('2026-11-20T10:15Z')"},
    {"aztables_ticks_datetime", "function", "aztables_ticks_datetime(ticks)",
     "The instant of up to 19 digits of ticks, as YYYY-MM-DDTHH:MM:SS.fffffffZ.",
     "SELECT aztables_ticks_datetime('0639307665000000000')"},
    {"aztables_type", "function", "aztables_type(entity, name)",
     "The type of a property of an _entity text, such as INT64; NULL if the property is missing.",
     "SELECT aztables_type(_entity, 'Seen') FROM movies"},
    {"aztables_version", "function", "aztables_version()", "The version of this extension.",
     "SELECT aztables_version()"},

    {"aztables_commits", "table", "aztables_commits",
     "The last 10,000 entity group transactions (EGTs) with their outcomes, those that failed, and "
     "the rows that on_error=continue left out: commit_id, time, connection, table_name, "
     "partition_key, row_key and operation (of the failure), egts, operations, bytes, outcome "
     "(applied, failed, not sent, unknown), status, code, message, request_id, settled (1: the "
     "outcome was in doubt, and was found out), settle_reads. Older EGTs of a COMMIT are summed in "
     "one row, so count them by sum(egts).",
     "SELECT outcome, sum(egts), sum(operations) FROM aztables_commits GROUP BY outcome"},
    {"aztables_connections", "table", "aztables_connections",
     "The connections used or registered so far: name, endpoint, kind, credential, identity, "
     "source, read_only, last_error, token_expires.",
     "SELECT name, endpoint, kind FROM aztables_connections"},
    {"aztables_each", "table", "aztables_each(entity)",
     "The properties of an _entity text: name, value, type. A NaN is the text 'NaN'. A text with "
     "half of a surrogate pair is a BLOB.",
     "SELECT m.RowKey, p.name, p.value FROM movies m, aztables_each(m._entity) p"},
    {"aztables_help", "table", "aztables_help", "This list: name, kind, usage, summary, example.",
     "SELECT usage, summary FROM aztables_help WHERE kind = 'option'"},
    {"aztables_infer", "table", "aztables_infer(table)",
     "The properties that a sample of the table has, the most frequent first, at most 10 requests: "
     "property, column_name (NULL: no column shows it), type, types_seen, entities, share, "
     "example, note (why it has no column, and how to declare one).",
     "SELECT property, type, share FROM aztables_infer('prod.Orders')"},
    {"aztables_query", "table", "aztables_query(table [, filter [, columns]])",
     "A raw OData query: PartitionKey, RowKey, Timestamp, _etag, _entity. The filter is sent "
     "unchanged; columns are property names, separated by commas. Obeys scan and the limits of the "
     "virtual tables over the same remote table.",
     "SELECT RowKey, _entity FROM aztables_query('prod.Orders', 'PartitionKey eq ''A'' and Amount "
     "gt 100', 'Amount')"},
    {"aztables_pending", "table", "aztables_pending",
     "The entity group transactions that a COMMIT now would send: table_name, partition_key, "
     "inserts, updates, deletes, bytes, egt_number.",
     "SELECT * FROM aztables_pending"},
    {"aztables_requests", "table", "aztables_requests",
     "The last 10,000 requests: id, statement_id, scan, time, connection, table_name, kind, "
     "method, url (without secrets), filter, status, code, attempts, entities, bytes_in, "
     "bytes_out, ms, request_id.",
     "SELECT kind, filter, entities, ms FROM aztables_requests ORDER BY id DESC LIMIT 5"},
    {"aztables_tables", "table", "aztables_tables([connection [, pattern]])",
     "The tables of an account: name. The pattern is as for LIKE. Default: all tables of the "
     "connection default.",
     "SELECT name FROM aztables_tables('prod', 'Order%')"},

    {"access", "option", "access=write|read",
     "read: INSERT, UPDATE and DELETE are refused. Default: write.", "access=read"},
    {"atomic", "option", "atomic=egt|partition|strict",
     "How far a COMMIT may be split into entity group transactions. egt: each is atomic. "
     "partition: a COMMIT fails if a partition needs more than one. strict: a COMMIT fails if it "
     "needs more than one in all. Default: egt.",
     "atomic=partition"},
    {"batch", "option", "batch=1..100",
     "The most operations of one entity group transaction. Default: 100.", "batch=50"},
    {"bulk", "option", "bulk=off|on",
     "on: full entity group transactions are sent while statements run, so that memory stays "
     "bounded; ROLLBACK cannot undo them. Default: off.",
     "bulk=on"},
    {"compare", "option", "compare=strict|text",
     "strict: a comparison of a DATETIME, GUID or BOOLEAN column with a value in another form than "
     "the column shows is an error, and of a key with a REAL. text: the columns compare like "
     "ordinary ones. Default: strict.",
     "compare=text"},
    {"concurrency", "option", "concurrency=etag|none",
     "etag: UPDATE and DELETE fail if the entity was changed since the statement read it. none: "
     "they do not check for changes. Default: etag.",
     "concurrency=none"},
    {"connection", "option", "connection=NAME|env:VAR|file:PATH|UseDevelopmentStorage=true",
     "The connection of the table. Secrets and endpoints are not allowed in CREATE VIRTUAL TABLE. "
     "Default: the connection named default.",
     "connection=prod"},
    {"create", "option", "create=never|missing",
     "missing: create the remote table if it does not exist. Default: never.", "create=missing"},
    {"infer", "option", "infer=auto|off|1..1500",
     "How many columns are inferred at CREATE. auto: 300 if no property is declared, else none. "
     "Default: auto.",
     "infer=off"},
    {"max_entities", "option", "max_entities=none|NUMBER",
     "How many entities one statement may read and write together. Default: none.",
     "max_entities=100000"},
    {"max_pending", "option", "max_pending=BYTES|'64MB'|'1GB'",
     "How many bytes of unsent writes a transaction may hold. Default: 256MB.",
     "max_pending='1GB'"},
    {"max_requests", "option", "max_requests=none|NUMBER",
     "How many requests one statement may send, repeated attempts included. Default: none.",
     "max_requests=200"},
    {"max_seconds", "option", "max_seconds=none|SECONDS|'60s'|'2m'",
     "How long after its first request one statement may send and wait for others; up to 86400. "
     "Default: none.",
     "max_seconds=30"},
    {"mismatch", "option", "mismatch=error|null",
     "What a column shows if an entity's property has another type than declared. Default: error.",
     "mismatch=null"},
    {"on_error", "option", "on_error=stop|continue",
     "continue, with bulk=on: refused rows are left out and recorded in aztables_commits; the "
     "other rows are written. Default: stop.",
     "bulk=on, on_error=continue"},
    {"parallel", "option", "parallel=1..64",
     "How many requests of one statement may be under way at once. A long read is divided into as "
     "many ranges. Default: 8.",
     "parallel=16"},
    {"pushdown", "option", "pushdown=all|keys|none",
     "What may be sent to the service as $filter. Results are the same. Default: all.",
     "pushdown=none"},
    {"retries", "option", "retries=0..20",
     "How often a request is retried after a transient failure. A host that has not responded yet "
     "and cannot be reached is tried twice. Default: 5.",
     "retries=2"},
    {"scan", "option", "scan=allow|warn|deny",
     "For a read without a condition on PartitionKey. deny: it fails if it needs a second request. "
     "warn: sqlite3_log reports it. Default: allow.",
     "scan=deny"},
    {"settle", "option", "settle=on|off",
     "on: a write without a clear response is sent again, and settled by reading entities if "
     "needed. "
     "off: its outcome is reported as unknown. Default: on.",
     "settle=off"},
    {"table", "option", "table=NAME|CONNECTION.NAME",
     "The remote table, with its connection if the option connection is not given. Default: the "
     "virtual table's own name.",
     "table=Movies"},
    {"timeout", "option", "timeout=SECONDS|'60s'|'2m'",
     "How long one attempt of a request may take. Default: 60 s.", "timeout='10s'"},
    {"upsert", "option", "upsert=replace|merge",
     "What INSERT OR REPLACE does to an entity that exists: replace all its properties, or leave "
     "those that the row does not give. Default: replace.",
     "upsert=merge"},

    {"option=value", "command", "INSERT INTO t(_command) VALUES('option=value')",
     "Sets an option of a table for this database connection: any but table, connection, infer.",
     "INSERT INTO orders(_command) VALUES('scan=allow')"},
    {"refresh", "command", "INSERT INTO t(_command) VALUES('refresh')",
     "Infers the columns of a table again: adds new ones at the end, widens the types of those "
     "with values of several types, and removes none. The sample includes the last five entities "
     "that did not fit an inferred column.",
     "INSERT INTO orders(_command) VALUES('refresh')"},
    {"reset", "command", "INSERT INTO t(_command) VALUES('reset')",
     "Returns to the options that CREATE VIRTUAL TABLE declared.",
     "INSERT INTO orders(_command) VALUES('reset')"},

    {"ANY", "column type", "property | property ANY",
     "Shows values of every type. Writes INTEGER as Int64, REAL as Double, TEXT as String, BLOB as "
     "Binary.",
     "Extra ANY"},
    {"BINARY", "column type", "property BINARY | BLOB", "Edm.Binary as BLOB, up to 64 KiB.",
     "Picture BINARY"},
    {"BOOLEAN", "column type", "property BOOLEAN | BOOL", "Edm.Boolean as INTEGER 0 or 1.",
     "IsFavorite BOOLEAN"},
    {"DATETIME", "column type", "property DATETIME | TIMESTAMP",
     "Edm.DateTime as TEXT, always YYYY-MM-DDTHH:MM:SS.fffffffZ with seven digits.",
     "Released DATETIME"},
    {"DOUBLE", "column type", "property DOUBLE | REAL | FLOAT",
     "Edm.Double as REAL; an Int32 or Int64 that is exact as REAL is shown as well.",
     "Rating DOUBLE"},
    {"GUID", "column type", "property GUID | UUID", "Edm.Guid as TEXT in lower case.", "Id GUID"},
    {"INT32", "column type", "property INT32 | INT", "Edm.Int32 as INTEGER.", "ReleaseYear INT32"},
    {"INT64", "column type", "property INT64 | INTEGER | BIGINT",
     "Edm.Int64 as INTEGER; an Int32 is shown as well.", "Views INT64"},
    {"STRING", "column type", "property STRING | TEXT | VARCHAR(n)",
     "Edm.String as TEXT, up to 32,768 UTF-16 code units.", "Language STRING"},

    {"AccessToken", "connection key", "AccessToken=env:VARIABLE|file:PATH",
     "A ready token of Microsoft Entra. It is read again when it ends.", "AccessToken=env:TOKEN"},
    {"AccountKey", "connection key", "AccountKey=BASE64",
     "The account's key. It signs requests and is never sent.", "AccountKey=..."},
    {"AccountName", "connection key", "AccountName=NAME", "The storage or Cosmos DB account.",
     "AccountName=contoso"},
    {"Authority", "connection key", "Authority=URL",
     "The sign-in server. Default: that of the endpoint's cloud.",
     "Authority=https://login.microsoftonline.us"},
    {"CaFile", "connection key", "CaFile=PATH",
     "A PEM file of CA certificates to trust instead of the usual file. For https only.",
     "CaFile=/etc/contoso/ca.pem"},
    {"ClientId", "connection key", "ClientId=ID",
     "The application (client) id, or that of a managed identity.",
     "ClientId=11111111-1111-4111-8111-111111111111"},
    {"ClientSecret", "connection key", "ClientSecret=SECRET",
     "The application's secret: its value, not its id.", "ClientSecret=..."},
    {"Credential", "connection key",
     "Credential=ManagedIdentity|WorkloadIdentity|Environment|ClientSecret|AccessToken",
     "Signs in with an identity of Microsoft Entra, instead of a key or a SAS.",
     "Credential=ManagedIdentity"},
    {"DefaultEndpointsProtocol", "connection key", "DefaultEndpointsProtocol=https|http",
     "The protocol of an endpoint made from AccountName. Default: https.",
     "DefaultEndpointsProtocol=https"},
    {"DevelopmentStorageProxyUri", "connection key",
     "DevelopmentStorageProxyUri=http://HOST[:PORT]",
     "Another host of the emulator, with UseDevelopmentStorage=true.",
     "DevelopmentStorageProxyUri=http://azurite"},
    {"EndpointSuffix", "connection key", "EndpointSuffix=SUFFIX",
     "The part after NAME.table. in an endpoint made from AccountName. Default: core.windows.net.",
     "EndpointSuffix=core.chinacloudapi.cn"},
    {"LocalStore", "connection key", "LocalStore=PATH",
     "The embedded table service on a SQLite file; ':memory:' keeps it in memory. Only ReadOnly "
     "and Simulate may be combined with it.",
     "LocalStore=demo.db"},
    {"ObjectId", "connection key", "ObjectId=ID", "The object id of a managed identity.",
     "ObjectId=11111111-1111-4111-8111-111111111111"},
    {"ReadOnly", "connection key", "ReadOnly=true|false",
     "true: nothing is written through this connection, under any options of a table.",
     "ReadOnly=true"},
    {"ResourceId", "connection key", "ResourceId=ID",
     "The resource id of a user-assigned managed identity.",
     "ResourceId=/subscriptions/.../userAssignedIdentities/reader"},
    {"Scope", "connection key", "Scope=SCOPE",
     "What the token is for. Default: https://storage.azure.com/.default, for Cosmos DB "
     "https://cosmos.azure.com/.default.",
     "Scope=https://storage.azure.com/.default"},
    {"SharedAccessSignature", "connection key", "SharedAccessSignature=SAS",
     "A shared access signature instead of a key, with or without its '?'.",
     "SharedAccessSignature=sv=...&sig=..."},
    {"Simulate", "connection key", "Simulate=PLAN",
     "Simulates faults of the service, for tests. With LocalStore only.",
     "Simulate=latency=20, 503@*5"},
    {"TableEndpoint", "connection key", "TableEndpoint=URL",
     "The whole endpoint; overrides the one made from AccountName.",
     "TableEndpoint=https://contoso.table.cosmos.azure.com:443/"},
    {"TenantId", "connection key", "TenantId=ID",
     "The id or the domain of the tenant, with ClientSecret and WorkloadIdentity.",
     "TenantId=contoso.onmicrosoft.com"},
    {"UseDevelopmentStorage", "connection key", "UseDevelopmentStorage=true",
     "The Azurite emulator on this machine, http://127.0.0.1:10002/devstoreaccount1.",
     "UseDevelopmentStorage=true"},
};

}  // namespace

std::span<const CatalogEntry> Catalog() { return kCatalog; }

const CatalogEntry* FindInCatalog(std::string_view kind, std::string_view name) {
  for (const CatalogEntry& entry : kCatalog) {
    if (entry.kind == kind && EqualsIgnoreCase(entry.name, name)) return &entry;
  }
  return nullptr;
}

std::string CatalogNames(std::string_view kind) {
  std::string names;
  for (const CatalogEntry& entry : kCatalog) {
    if (entry.kind != kind) continue;
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

}  // namespace aztables
