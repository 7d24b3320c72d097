#!/usr/bin/env node
'use strict';

// The command aztables-server of the package.
const { spawn } = require('node:child_process');
const { getServerPath } = require('./index.cjs');

let server;
try {
  server = spawn(getServerPath(), process.argv.slice(2), { stdio: 'inherit' });
} catch (error) {
  console.error(`aztables-server: ${error.message}`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('error', (error) => {
  console.error(`aztables-server: ${error.message}`);
  process.exitCode = 1;
});
server.on('exit', (code, signal) => {
  if (signal) process.removeAllListeners(signal).kill(process.pid, signal);
  else process.exitCode = code;
});
