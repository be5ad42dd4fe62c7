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

  it('gives nothing where something is wrong or was made up', async () => {
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

  it('warns once where loading fails, and gives none', async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    const grammar = createBashGrammar(() => Promise.reject(new Error('no such file')));
    expect([await grammar(), await grammar()]).toEqual([undefined, undefined]);
    await new Promise(setImmediate); // warnings come behind the present turn
    process.off('warning', listen);
    expect(warnings.filter((message) => message.includes('grammar'))).toEqual([
      'The grammar of the shell could not be loaded, so no shell command runs without being asked for: no such file',
    ]);
  });
});
