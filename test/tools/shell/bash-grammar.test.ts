import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createBashGrammar, loadBashGrammar } from '../../../src/tools/shell/bash-grammar.js';

describe('loadBashGrammar', () => {
  it('gives the parts of a command line and where they stand', async () => {
    const parse = await loadBashGrammar();
    const word = { type: 'word', isNamed: true, start: 0, end: 2, children: [] };
    const name = { type: 'command_name', isNamed: true, start: 0, end: 2, children: [word] };
    const emoji = { type: 'word', isNamed: true, start: 3, end: 5, children: [] };
    const command = { type: 'command', isNamed: true, start: 0, end: 5, children: [name, emoji] };
    expect(parse('ls 🙂')).toEqual({
      type: 'program',
      isNamed: true,
      start: 0,
      end: 5,
      children: [command],
    });
  });

  it('gives nothing if something is wrong or was made up', async () => {
    const parse = await loadBashGrammar();
    expect(['ls "', 'if ls', 'ls)', 'cat <<E\nx'].map(parse)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('createBashGrammar', () => {
  it('loads at the first call, once', async () => {
    let count = 0;
    const grammar = createBashGrammar(async () => {
      count++;
      return () => undefined;
    });
    expect(count).toBe(0);
    const [first, second] = await Promise.all([grammar(), grammar()]);
    expect(first).toBe(second);
    expect([await grammar(), count]).toEqual([first, 1]);
  });

  it('warns once if loading fails, and gives none', async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    const grammar = createBashGrammar(() => Promise.reject(new Error('no such file')));
    expect([await grammar(), await grammar()]).toEqual([undefined, undefined]);
    await new Promise(setImmediate); // warnings come behind the present turn
    process.off('warning', listen);
    expect(warnings.filter((message) => message.includes('grammar'))).toEqual([
      'The grammar of the shell could not be loaded. Until it can be, every shell command needs approval: no such file',
    ]);
  });

  it('is loaded by a later call if the first one failed', async () => {
    let count = 0;
    const parse = () => undefined;
    const grammar = createBashGrammar(async () => {
      count += 1;
      if (count === 1) throw new Error('too many open files');
      return parse;
    });
    expect([await grammar(), await grammar(), await grammar(), count]).toEqual([
      undefined,
      parse,
      parse,
      2,
    ]);
  });

  it('is loaded after the process had too many open files', () => {
    const modules = join(import.meta.dirname, '../../../.build/modules');
    const grammar = pathToFileURL(join(modules, 'tools/shell/bash-grammar.js')).href;
    const program = `
      import { closeSync, openSync } from 'node:fs';
      const { createBashGrammar } = await import('${grammar}');
      const grammar = createBashGrammar();
      const files = [];
      try {
        for (;;) files.push(openSync('/dev/null', 'r'));
      } catch {}
      const first = typeof (await grammar());
      files.forEach(closeSync);
      console.log(first, typeof (await grammar()));`;
    const { stdout } = spawnSync('bash', [
      '-c',
      'ulimit -n 40; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      program,
    ]);
    expect(String(stdout)).toBe('undefined function\n');
  });
});
