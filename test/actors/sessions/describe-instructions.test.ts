import { describe, expect, it } from 'vitest';
import type { MemoryFileInfo } from '../../../src/context/memory/memory-file.js';
import { describeInstructions } from '../../../src/actors/sessions/describe-instructions.js';

const file = (path: string, more: Partial<MemoryFileInfo>): MemoryFileInfo => ({
  path,
  type: 'Project',
  content: 'x',
  contentDiffersFromDisk: false,
  rawContent: 'x',
  ...more,
});

describe('/memory', () => {
  it('names each file of instructions, whose it is and when it counts', () => {
    const memory = [
      file('/h/.claude/CLAUDE.md', { type: 'User' }),
      file('/p/CLAUDE.md', {}),
      file('/p/style.md', { parent: '/p/CLAUDE.md' }),
      file('/p/.claude/rules/ts.md', { globs: ['**/*.ts', '*.js'] }),
    ];
    expect(describeInstructions({ memory, subfolders: ['project'] }).split('\n')).toEqual([
      '/h/.claude/CLAUDE.md: yours, for all projects',
      "/p/CLAUDE.md: the project's",
      "/p/style.md: the project's, imported by /p/CLAUDE.md",
      "/p/.claude/rules/ts.md: the project's, when an agent uses a file like **/*.ts, *.js",
      'Instructions of a folder below count when an agent uses a file there.',
    ]);
  });

  it('says if there are none', () => {
    expect(describeInstructions()).toBe('There are no instructions.');
  });
});
