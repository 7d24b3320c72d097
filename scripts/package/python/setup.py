"""Builds the wheel from the release files beside it: see scripts/package/python.sh."""

import os

import setuptools
from wheel.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    """For any Python 3 of one platform: the package has programs of it, but no module in C."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", os.environ["WHEEL_PLATFORM"]


setuptools.setup(
    name="sqlite-aztables",
    version=os.environ["WHEEL_VERSION"],
    description="Azure Table Storage as SQL tables of SQLite",
    long_description=open("README.md", encoding="utf-8").read(),
    long_description_content_type="text/markdown",
    license="MIT",
    license_files=["LICENSE"],
    python_requires=">=3.8",
    packages=["sqlite_aztables"],
    package_data={"sqlite_aztables": ["aztables.so", "aztables-server", "LICENSES.txt"]},
    entry_points={"console_scripts": ["aztables-server = sqlite_aztables:_run_server"]},
    zip_safe=False,
    cmdclass={"bdist_wheel": PlatformWheel},
)
