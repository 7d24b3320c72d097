"""Azure Table Storage as SQL tables of SQLite: loads the extension aztables into a connection."""

import os
import sqlite3
import sys

__version__ = "VERSION"
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_NO_EXTENSIONS = (
    "the sqlite3 module of this Python cannot load extensions: install apsw, open the database with "
    "apsw.Connection(...), and pass that connection to sqlite_aztables.load()"
)


def loadable_path():
    """The absolute path of the extension."""
    return os.path.join(_FOLDER, "aztables.so")


def server_path():
    """The absolute path of the program aztables-server."""
    return os.path.join(_FOLDER, "aztables-server")


def load(connection):
    """Loads the extension into a connection of sqlite3 or apsw. No other extension can be loaded by SQL
    afterwards."""
    if hasattr(connection, "enableloadextension"):  # apsw
        connection.enableloadextension(True)
        try:
            connection.loadextension(loadable_path())
        finally:
            connection.enableloadextension(False)
        return
    if not isinstance(connection, sqlite3.Connection):
        raise TypeError("sqlite_aztables.load() needs a connection of sqlite3 or apsw, not " + repr(connection))
    if not hasattr(connection, "enable_load_extension"):
        raise RuntimeError(_NO_EXTENSIONS)
    connection.enable_load_extension(True)
    try:
        connection.load_extension(loadable_path())
    finally:
        connection.enable_load_extension(False)


def _run_server():
    """The command aztables-server."""
    os.execv(server_path(), ["aztables-server", *sys.argv[1:]])
