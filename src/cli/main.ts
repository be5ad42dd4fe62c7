#!/usr/bin/env node
// The entry of the `troupe` command. An old Node must be able to parse this file, so it imports nothing before the check.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  const { keepCompiledCode } = await import('../api/files/compiled-code.js');
  keepCompiledCode();
  const { dispatch } = await import('./dispatch.js');
  process.exitCode = await dispatch(process.argv.slice(2));
} else {
  process.stderr.write(
    `troupe: Troupe needs Node 20.19 or later; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
}
