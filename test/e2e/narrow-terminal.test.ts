import { describe, expect, it, type TestContext } from 'vitest';
import { createPlace } from './support/place.js';
import { HAS_TERMINAL, startAtTerminal } from './support/terminal.js';

const COLUMNS = 40;

/** What a command shows at a narrow terminal, in a folder with settings and an agent. */
async function show(args: readonly string[], onTestFinished: TestContext['onTestFinished']) {
  const place = await createPlace(onTestFinished);
  const api = await place.api({ replies: [] });
  await place.write({
    '.claude/settings.json': '{ "permissions": {\n "deny": ["Bash(git push *)"]\n} }',
    '.claude/agents/ada.md': `---
name: ada
description: Reads what somebody else has changed, looks for what is wrong with it, and says so.
tools: Read, Grep
---
You read.
`,
  });
  const terminal = startAtTerminal(place, args, { api, onTestFinished, columns: COLUMNS });
  await terminal.ended;
  return terminal.shown.split('\r\n');
}

/** Lines that a terminal would break: a word that is longer than a line is shown whole. */
const tooLong = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.length > COLUMNS && line.trim().includes(' '));

describe.skipIf(!HAS_TERMINAL).concurrent('at a narrow terminal', () => {
  it('config names each setting, and below it the file', async ({ onTestFinished }) => {
    const lines = await show(['config'], onTestFinished);
    expect(lines.slice(0, 3)).toEqual([
      'deny: Bash(git push *)',
      '    project settings,',
      '      …/work/.claude/settings.json:2',
    ]);
  });

  it('permissions list names each rule, and below it the file', async ({ onTestFinished }) => {
    const lines = await show(['permissions', 'list'], onTestFinished);
    const at = lines.indexOf('deny Bash(git push *)');
    expect(lines.slice(at + 1, at + 3)).toEqual([
      '    project settings,',
      '      …/work/.claude/settings.json:2',
    ]);
  });

  it('agents describes each agent, and says where it is from', async ({ onTestFinished }) => {
    const lines = await show(['agents'], onTestFinished);
    expect(lines.slice(lines.indexOf('ada'), lines.indexOf('ada') + 7)).toEqual([
      'ada',
      '    Reads what somebody else has',
      '      changed, looks for what is wrong',
      '      with it, and says so.',
      '    project,',
      '      …/work/.claude/agents/ada.md',
      '    tools: Read, Grep',
    ]);
    expect(tooLong(lines)).toEqual([]);
    expect(lines.join(' ')).not.toContain('… …');
  });

  it('doctor names each check whole', async ({ onTestFinished }) => {
    const lines = await show(['doctor'], onTestFinished);
    expect(lines).toContain('ok temporary folder: It can be written');
    expect(tooLong(lines)).toEqual([]);
  });
});
