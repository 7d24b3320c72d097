'use strict';

// The files of this platform's package: the extension and the server.
const { version } = require('./package.json');

function libc() {
  if (process.platform !== 'linux') return '';
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function platformFile(file) {
  const platform = `${process.platform}-${process.arch}`;
  const name = `sqlite-aztables-${platform}`;
  if (libc() === 'musl') {
    throw new Error('sqlite-aztables has no package for musl (Alpine Linux); it needs glibc 2.34 or newer');
  }
  if (!Object.hasOwn(require('./package.json').optionalDependencies, name)) {
    throw new Error(`sqlite-aztables has no package for ${platform}; there are packages for Linux on x64 and arm64`);
  }
  try {
    return require.resolve(`${name}/${file}`);
  } catch {
    throw new Error(
      `the package ${name} is not installed; npm leaves it out with --omit=optional, or if node_modules ` +
      `comes from another platform: run npm install ${name}@${version}`);
  }
}

const getLoadablePath = () => platformFile('aztables.so');
const getServerPath = () => platformFile('aztables-server');

function load(db) {
  db.loadExtension(getLoadablePath());
}

module.exports = { getLoadablePath, getServerPath, load };
