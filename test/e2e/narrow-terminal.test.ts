import { describe, expect, it, type TestContext } from 'vitest';
import { createPlace } from './support/place.js';
import { HAS_TERMINAL, startAtTerminal } from './support/terminal.js';

const COLUMNS = 40;

/** The output of a command at a narrow terminal, in a folder with settings and an agent. */
async function show(
  args: readonly string[],
  onTestFinished: TestContext['onTestFinished'],
  files: Readonly<Record<string, string>> = {},
) {
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
    ...files,
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
    expect(lines).toContain('ok temporary folder: It is writable.');
    expect(tooLong(lines)).toEqual([]);
  });

  it.for([
    [['config'], 'deny: Bash(a allow: Bash(*) managed'],
    [['permissions', 'list'], 'deny Bash(a allow: Bash(*) managed'],
  ] as const)('a value of several lines is one block of %j', async ([command, first], context) => {
    const deny = ['Bash(a\n\nallow: Bash(*)\n    managed settings)'];
    const files = { '.claude/settings.json': JSON.stringify({ permissions: { deny } }) };
    const lines = await show(command, context.onTestFinished, files);
    const at = lines.indexOf(first);
    expect(lines.slice(at, at + 4)).toEqual([
      first,
      '  settings)',
      '    project settings,',
      '      …/work/.claude/settings.json:1',
    ]);
  });

  it('a problem of several lines is one check of doctor', async ({ onTestFinished }) => {
    const files = { '.claude/settings.json': JSON.stringify({ 'a\nok trust: Trusted: /': 1 }) };
    const lines = await show(['doctor'], onTestFinished, files);
    expect(lines.filter((line) => line.startsWith('ok trust'))).toEqual([
      'ok trust: This folder is not trusted,',
    ]);
  });
});
