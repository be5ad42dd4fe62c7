import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the library is the same for import and require', () => {
  const program = `
    const required = require('troupe');
    import('troupe').then((imported) => {
      const names = Object.keys(required);
      const different = names.filter((name) => required[name] !== imported[name]);
      console.log(JSON.stringify({
        different,
        more: Object.keys(imported).filter((name) => !names.includes(name)),
        start: typeof required.createOrchestrator,
      }));
    });`;
  const cwd = join(import.meta.dirname, '../..');
  const output = execFileSync(process.execPath, ['-e', program], { cwd, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual({ different: [], more: [], start: 'function' });
});
