#!/usr/bin/env python3
"""A local store in a host process, for behaviour that the golden tests cannot show: interrupted
waits, one flush for several waiting EGTs, several processes, fork(), a change of the working
directory.
"""

import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import host  # noqa: E402

DECLARED = "table=Things, connection=b, infer=off, N INT32"


def commits_in_wal(path):
    """The number of transactions in the write-ahead log, i.e. of frames with the database size
    after a commit.
    """
    wal = pathlib.Path(path + "-wal").read_bytes()
    page_size = struct.unpack(">I", wal[8:12])[0]
    salt = wal[16:24]
    count = 0
    for at in range(32, len(wal) - page_size - 23, page_size + 24):
        if wal[at + 8:at + 16] == salt and struct.unpack(">I", wal[at + 4:at + 8])[0] != 0:
            count += 1
    return count


class LocalStoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "store.db")
        self.db = self.open()
        self.db.execute("SELECT aztables_create_table('b.Things')").fetchall()

    def open(self, path=None):
        db = host.connect(check_same_thread=False)
        self.addCleanup(db.close)
        db.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={path or self.path}",)).fetchall()
        db.execute(f"CREATE VIRTUAL TABLE t USING aztables({DECLARED})")
        return db

    def insert(self, db, partition, rows=1):
        db.execute("INSERT INTO t(PartitionKey, RowKey, N) WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL "
                   "SELECT i + 1 FROM c WHERE i < ?) SELECT ?, i, i FROM c", (rows, partition))

    def count(self, db=None):
        return (db or self.db).execute("SELECT count(*) FROM t").fetchone()[0]

    def test_cryptography_that_fails_is_an_error(self):
        """OpenSSL with its null provider alone has no algorithm. Without a digest, every EGT would
        look like a repetition of the first one.
        """
        config = os.path.join(self.folder, "null.cnf")
        with open(config, "w", encoding="utf-8") as file:
            file.write("openssl_conf = init\n[init]\nproviders = providers\n[providers]\nnull = null\n[null]\nactivate = 1\n")
        script = """if True:
            import sys
            sys.path.insert(0, sys.argv[1])
            import host
            db = host.connect()
            db.execute("SELECT aztables_connect('b', 'LocalStore=' || ?)", sys.argv[2:3]).fetchall()
            db.execute("CREATE VIRTUAL TABLE t USING aztables(table=Things, connection=b, N INT32)")
            rows = ((str(n % 10), str(n)) for n in range(1000))
            try:
                db.executemany("INSERT INTO t(PartitionKey, RowKey) VALUES (?, ?)", rows)
                db.commit()
            except host.sqlite3.OperationalError as error:
                print(error)
            """
        ran = host.run_python(script, str(pathlib.Path(host.__file__).parent), self.path, OPENSSL_CONF=config)
        self.assertIn("OpenSSL cannot compute HMAC-SHA256; check its configuration (OPENSSL_CONF)", ran.stdout, ran.stderr)
        self.assertEqual(0, self.count())

    def locked_by_another(self):
        """A plain SQLite connection that holds the store's write lock."""
        other = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        return other

    def test_new_store_is_readable_by_its_owner_only(self):
        before = os.umask(0)
        try:
            path = os.path.join(self.folder, "new.db")
            db = host.connect()
            self.addCleanup(db.close)
            db.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={path}",)).fetchall()
            db.execute("SELECT aztables_create_table('b.Things')").fetchall()
            for part in ("", "-wal", "-shm"):
                self.assertEqual(oct(os.stat(path + part).st_mode & 0o777), "0o600", part)
        finally:
            os.umask(before)

    def test_wait_for_the_lock_can_be_interrupted(self):
        other = self.locked_by_another()
        threading.Timer(0.3, self.db.interrupt).start()
        began = time.monotonic()
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupt"):
            self.insert(self.db, "p")
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.count(), 0)  # readers do not wait
        other.execute("COMMIT")
        self.insert(self.db, "p")
        self.assertEqual(self.count(), 1)

    def test_a_writer_waits_for_another(self):
        other = self.locked_by_another()
        threading.Timer(0.3, lambda: other.execute("COMMIT")).start()
        self.insert(self.db, "p")
        self.assertEqual(self.count(), 1)

    def test_egts_of_a_transaction_share_one_flush(self):
        before = commits_in_wal(self.path)
        self.db.execute("BEGIN")
        for partition in range(8):
            self.insert(self.db, f"p{partition}", rows=50)
        self.db.execute("COMMIT")
        self.assertEqual(self.db.execute("SELECT count(*) FROM aztables_requests WHERE kind = 'EGT'").fetchone()[0], 8)
        self.assertEqual(commits_in_wal(self.path), before + 1)
        self.assertEqual(self.count(), 400)

    def test_reads_flush_nothing(self):
        self.insert(self.db, "p", rows=10)
        before = commits_in_wal(self.path)
        for _ in range(5):
            self.assertEqual(self.count(), 10)
        self.assertEqual(commits_in_wal(self.path), before)

    def test_many_connections_write_at_once(self):
        def write(number):
            db = self.open()
            for i in range(20):
                self.insert(db, f"w{number}-{i}", rows=3)

        threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.assertEqual(self.count() % 3, 0)  # each EGT is complete or absent
        for thread in threads:
            thread.join()
        self.assertEqual(self.count(), 4 * 20 * 3)

    def test_another_process_sees_committed_rows(self):
        self.insert(self.db, "p", rows=5)
        code = ("import os, sqlite3, sys\n"
                "db = sqlite3.connect(':memory:', isolation_level=None)\n"
                "db.enable_load_extension(True)\n"
                "db.load_extension(os.environ['AZTABLES_MODULE'])\n"
                "db.execute(\"SELECT aztables_connect('b', ?)\", ('LocalStore=' + sys.argv[1],)).fetchall()\n"
                f"db.execute('CREATE VIRTUAL TABLE t USING aztables({DECLARED})')\n"
                "print(db.execute('SELECT count(*) FROM t').fetchone()[0])\n"
                "db.execute(\"INSERT INTO t(PartitionKey, RowKey) VALUES ('child', '1')\")\n")
        done = host.run_python(code, self.path)
        self.assertEqual((done.stdout, done.returncode), ("5\n", 0), done.stderr)
        self.assertEqual(self.count(), 6)

    def test_relative_path_keeps_its_first_meaning(self):
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            db = self.open("relative.db")
            db.execute("SELECT aztables_create_table('b.Things')").fetchall()
            os.chdir("/")
            self.insert(db, "p")
            self.assertEqual(self.count(db), 1)
        finally:
            os.chdir(before)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "relative.db")))

    def test_child_after_fork_must_open_its_own_connection(self):
        self.insert(self.db, "p")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self.count()
                said = "nothing"
            except sqlite3.Error as error:
                said = str(error)
            os.write(writing, said.encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertIn("open the database connection again in the child", os.read(reading, 1000).decode())
        self.insert(self.db, "q")
        self.assertEqual(self.count(), 2)

    def test_memory_store_is_copied_by_fork(self):
        db = self.open(":memory:")
        db.execute("SELECT aztables_create_table('b.Things')").fetchall()
        self.insert(db, "p")
        child = os.fork()
        if child == 0:
            self.insert(db, "child")
            os._exit(self.count(db))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 2)
        self.assertEqual(self.count(db), 1)

    def test_last_close_leaves_one_file(self):
        self.insert(self.db, "p")
        self.db.close()
        self.assertEqual(os.listdir(self.folder), ["store.db"])
        self.assertEqual(self.count(self.open()), 1)

    def test_several_processes_may_create_one_store(self):
        failures = []

        def create(path, number):
            try:
                db = self.open(path)
                db.execute("SELECT count(*) FROM aztables_tables('b')").fetchall()
                db.execute(f"SELECT aztables_create_table('b.Table{number}')").fetchall()
            except sqlite3.Error as error:
                failures.append(str(error))

        for round_ in range(15):
            path = os.path.join(self.folder, f"new{round_}.db")
            threads = [threading.Thread(target=create, args=(path, n)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            names = self.open(path).execute("SELECT name FROM aztables_tables('b') ORDER BY 1").fetchall()
            self.assertEqual(names, [(f"Table{n}",) for n in range(4)])
        self.assertEqual(failures, [])

    def refused(self, path):
        """The message that refuses a store at `path`."""
        db = self.open(path)
        with self.assertRaises(sqlite3.Error) as caught:
            db.execute("SELECT aztables_create_table('b.Things')").fetchall()
        return str(caught.exception)

    def test_file_with_two_names_is_refused(self):
        self.insert(self.db, "p")
        self.db.close()
        os.link(self.path, self.path + "2")
        self.assertIn("more than one hard link", self.refused(self.path))
        os.unlink(self.path + "2")
        os.symlink(self.path, self.path + "2")
        self.assertEqual(self.count(self.open(self.path + "2")), 1)

    def test_auxiliary_files_of_sqlite_are_refused(self):
        own = host.connect(os.path.join(self.folder, "own.db"))
        self.addCleanup(own.close)
        for end in ("", "-journal", "-wal", "-shm"):
            own.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={self.folder}/own.db{end}",)).fetchall()
            with self.assertRaisesRegex(sqlite3.OperationalError, "is a file of the database 'main'"):
                own.execute("SELECT aztables_create_table('b.Things')").fetchall()

    def test_slash_at_the_end_is_refused(self):
        own = host.connect(os.path.join(self.folder, "own.db"))
        self.addCleanup(own.close)
        for path in ("own.db/", "own.db/.", "new.db/", "store.db/"):
            own.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={self.folder}/{path}",)).fetchall()
            for sql in ("SELECT aztables_create_table('b.Things')", "SELECT * FROM aztables_tables('b')"):
                with self.assertRaisesRegex(sqlite3.OperationalError, "it names a folder: leave out the / at its end"):
                    own.execute(sql).fetchall()
        self.assertEqual(own.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0], 0)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "new.db")))

    def test_inaccessible_path_is_not_absent(self):
        os.symlink("loop", os.path.join(self.folder, "loop"))
        for path, reason in (("loop", "Too many levels of symbolic links"), ("n" * 300, "File name too long"),
                             ("store.db/x", "Not a directory")):
            db = self.open(os.path.join(self.folder, path))
            for sql in ("SELECT count(*) FROM t", "SELECT * FROM aztables_tables('b')",
                        "SELECT aztables_create_table('b.Things')"):
                with self.assertRaises(sqlite3.Error) as caught:
                    db.execute(sql).fetchall()
                self.assertIn(f"{path}: it cannot be opened ({reason})", str(caught.exception))

    def test_advice_for_a_missing_table_works(self):
        inline = f"LocalStore={self.folder}/it's here.db"
        quoted = inline.replace("'", "''")
        db = host.connect()
        self.addCleanup(db.close)
        db.execute(f"CREATE VIRTUAL TABLE t USING aztables(table=Things, connection='{quoted}', infer=off, N INT32)")
        with self.assertRaises(sqlite3.Error) as caught:
            db.execute("SELECT * FROM t").fetchall()
        said = str(caught.exception)
        self.assertIn(f"; there is no file {os.path.realpath(self.folder)}/it's here.db: check the path, or ", said)
        connecting = "SELECT aztables_connect(" + said.split("aztables_connect(")[1].split(") and then")[0] + ")"
        creating = "SELECT aztables_create_table(" + said.split("aztables_create_table(")[1].split(" [")[0]
        db.execute(connecting).fetchall()
        db.execute(creating).fetchall()
        self.assertEqual(self.count(db), 0)
        db.execute(f"CREATE VIRTUAL TABLE u USING aztables(table=Others, connection='{quoted}', infer=off, N INT32)")
        with self.assertRaises(sqlite3.Error) as caught:
            db.execute("SELECT * FROM u").fetchall()
        said = str(caught.exception)
        listing = "SELECT name FROM aztables_tables(" + said.split("aztables_tables(")[1].split(") for those")[0] + ")"
        self.assertEqual(db.execute(listing).fetchall(), [("Things",)])

    def test_replaced_file_is_not_mixed_with_the_old_one(self):
        self.insert(self.db, "old", rows=20)
        other = os.path.join(self.folder, "other.db")
        db = self.open(other)
        db.execute("SELECT aztables_create_table('b.Things')").fetchall()
        self.insert(db, "new", rows=3)
        db.close()
        os.replace(other, self.path)
        for _ in range(2):
            with self.assertRaisesRegex(sqlite3.OperationalError, "store.db: it was replaced while it was in use"):
                self.count()
        for end in ("-wal", "-shm"):
            os.unlink(self.path + end)
        with self.assertRaisesRegex(sqlite3.OperationalError, "store.db: it was replaced while it was in use"):
            self.count()
        self.assertEqual(self.count(self.open(self.path)), 3)

    def test_annotations_in_a_selection_are_refused_by_name(self):
        self.insert(self.db, "p")
        for selected in ("N,N@odata.type", "odata.etag"):
            with self.assertRaisesRegex(sqlite3.OperationalError, "400 InvalidInput"):
                self.db.execute("SELECT * FROM aztables_query('b.Things', 'N eq 1', ?)", (selected,)).fetchall()
        self.assertEqual(len(self.db.execute("SELECT * FROM aztables_query('b.Things', 'N eq 1', 'N')").fetchall()), 1)

    def test_number_too_small_for_a_double_is_zero(self):
        self.db.execute("INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('p', '1', '{\"D\":-1e-400}')")
        self.assertEqual(self.db.execute("SELECT aztables_get(_entity, 'D') FROM t").fetchone()[0], 0)
        with self.assertRaises(sqlite3.Error):
            self.db.execute("INSERT INTO t(PartitionKey, RowKey, _entity) VALUES ('p', '2', '{\"D\":1e400}')")

    def test_non_files_are_refused(self):
        path = os.path.join(self.folder, "pipe")
        os.mkfifo(path)
        self.assertIn("it is not a file", self.refused(path))
        self.assertFalse(os.path.exists(path + "-journal"))

    def test_invalid_table_name_creates_no_store(self):
        path = os.path.join(self.folder, "none.db")
        db = self.open(path)
        with self.assertRaises(sqlite3.Error):
            db.execute("SELECT aztables_create_table('b.x')").fetchall()
        self.assertFalse(os.path.exists(path))

    def test_interrupted_wait_sends_nothing(self):
        self.locked_by_another()
        threading.Timer(0.2, self.db.interrupt).start()
        with self.assertRaises(sqlite3.OperationalError) as caught:
            self.insert(self.db, "p")
        self.assertNotIn("unknown", str(caught.exception))

    def test_authorizer_that_forbids_pragmas_permits_stores(self):
        self.insert(self.db, "p")
        self.db.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_PRAGMA
                               else sqlite3.SQLITE_OK)
        self.assertEqual(self.count(), 1)
        own = host.connect(self.path)
        self.addCleanup(own.close)
        own.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_PRAGMA
                           else sqlite3.SQLITE_OK)
        own.execute("SELECT aztables_connect('b', ?)", (f"LocalStore={self.path}",)).fetchall()
        with self.assertRaisesRegex(sqlite3.OperationalError, "is a file of the database 'main'"):
            own.execute("SELECT count(*) FROM aztables_tables('b')").fetchall()

    def test_missing_file_is_an_empty_store(self):
        self.insert(self.db, "p")
        for end in ("", "-wal", "-shm"):
            os.unlink(self.path + end)
        with self.assertRaisesRegex(sqlite3.OperationalError, "does not exist"):
            self.count()
        self.db.execute("SELECT aztables_create_table('b.Things')").fetchall()
        self.assertEqual(self.count(), 0)


if __name__ == "__main__":
    host.enter()
    unittest.main()
