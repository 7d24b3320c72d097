/** A database connection of node:sqlite (opened with `allowExtension: true`) or of better-sqlite3. */
interface Database {
  loadExtension(path: string): unknown;
}

/** The absolute path of the extension. Throws if there is no package for this platform. */
export function getLoadablePath(): string;
/** The absolute path of the program aztables-server. Throws if there is no package for this platform. */
export function getServerPath(): string;
/** Loads the extension into a database connection. */
export function load(db: Database): void;
