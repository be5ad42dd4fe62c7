import { describe, expect, it } from 'vitest';
import type { MemoryFileInfo } from '../../src/context/memory/memory-file.js';
import { renderSystemPrompt, takesContext } from '../../src/context/system-prompt.js';

const place = { cwd: '/p', platform: 'linux', date: '2026-01-02' };
const file = (more: Partial<MemoryFileInfo>): MemoryFileInfo => ({
  path: '/p/CLAUDE.md',
  type: 'Project',
  content: 'Use tabs.',
  contentDiffersFromDisk: false,
  rawContent: 'Use tabs.',
  ...more,
});

describe('renderSystemPrompt', () => {
  it("has the agent's own prompt first, then instructions for all files, then the place", () => {
    const memory = [
      file({ path: '/h/.claude/CLAUDE.md', type: 'User', content: 'Be brief.' }),
      file({}),
      file({ path: '/p/a.md', content: 'A.', parent: '/p/CLAUDE.md' }),
      file({ path: '/p/.claude/rules/ts.md', content: 'T.', globs: ['*.ts', '*.tsx'] }),
    ];
    const context = { memory, gitStatus: 'Branch: main' };
    expect(renderSystemPrompt({ prompt: 'You review.', ...place, context })).toEqual([
      'You review.',
      `Instructions of the user and of the project follow. Follow them; if two contradict each other, the later one applies.

Contents of /h/.claude/CLAUDE.md (the user's own, for all projects):

Be brief.

Contents of /p/CLAUDE.md (the project's):

Use tabs.

Contents of /p/a.md (the project's, imported by /p/CLAUDE.md):

A.`,
      'Working directory: /p\nPlatform: linux\nDate: 2026-01-02\n\nBranch: main',
    ]);
  });

  it('has prompt and place if there is nothing else', () => {
    const place2 = 'Working directory: /p\nPlatform: linux\nDate: 2026-01-02';
    const said = renderSystemPrompt({ prompt: 'You review.', ...place, context: { memory: [] } });
    expect(said).toEqual(['You review.', place2]);
  });

  it('has what is appended right after the prompt', () => {
    const [own] = renderSystemPrompt({ prompt: 'You review.', appended: 'Be brief.', ...place });
    expect(own).toBe('You review.\n\nBe brief.');
    const [usual] = renderSystemPrompt({ prompt: '', appended: 'Be brief.', ...place });
    expect(usual).toMatch(/^You are Troupe[^]*\n\nBe brief\.$/);
  });

  it('has the context of the session, except for Explore and Plan below the main agent', () => {
    const types = ['reviewer', 'general-purpose', 'worker', 'Explore', 'Plan', 'coordinator'];
    expect(types.filter((type) => !takesContext(type, false))).toEqual(['Explore', 'Plan']);
    expect(types.every((type) => takesContext(type, true))).toBe(true);
  });
});
