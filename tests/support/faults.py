"""Plans of simulations that break requests by chance."""

# Each has the same share: before and after the work, with and without a response.
FAULTS = ("reset-before", "reset-after", "500-after", "503", "429", "408", "truncate", "html-after", "bad-json", "bad-batch")


def simulation(seed, percent, settings="", faults=FAULTS):
    """The plan of aztables-server or of a local store that breaks so many percent of the requests."""
    return ", ".join([f"seed={seed}", *([settings] if settings else []),
                      *(f"{fault}@{percent / len(faults):.3f}%" for fault in faults)])
