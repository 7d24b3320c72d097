"""Plans of simulations that break requests by chance."""

import sqlite3
import time

FIRST_CONTACTS = 20

# Each has the same share: before and after the work, with and without a response.
FAULTS = ("reset-before", "reset-after", "500-after", "503", "429", "408", "truncate", "html-after", "bad-json", "bad-batch")


def simulation(seed, percent, settings="", faults=FAULTS):
    """The plan of aztables-server or of a local store that breaks so many percent of the requests."""
    return ", ".join([f"seed={seed}", *([settings] if settings else []),
                      *(f"{fault}@{percent / len(faults):.3f}%" for fault in faults)])


def make_contact(db, connection):
    """Waits for a first response. Until then, a second failure is final, because the endpoint seems to be wrong."""
    for _ in range(FIRST_CONTACTS):
        try:
            db.execute("SELECT count(*) FROM aztables_tables(?)", (connection,)).fetchall()
            return
        except sqlite3.OperationalError:
            time.sleep(0.1)
