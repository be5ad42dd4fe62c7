import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/cli/arguments/command-line.js';
import { readRun } from '../../../src/cli/run/read-run.js';
import { prepareRun } from '../../../src/cli/run/prepare-run.js';
import { describeRuleProblems } from '../../../src/settings/explain/rule-warnings.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';

describe('describeRuleProblems', () => {
  it('knows the built-in tools and their older names', async () => {
    const permissions = {
      ...getEmptyToolPermissionContext(),
      alwaysDenyRules: { cliArg: ['Task(a)', 'Bash(rm *)', 'Reed'] },
      alwaysAllowRules: { projectSettings: ['Read', 'R*'] },
    };
    expect(await describeRuleProblems(permissions)).toEqual([
      expect.stringMatching(/^The rule R\* \(project settings\) allows nothing/),
      'The rule Reed (the command line) denies nothing: no tool is called "Reed". Did you mean Read?',
    ]);
    expect(await describeRuleProblems(getEmptyToolPermissionContext())).toEqual([]);
  });
});

describe('prepareRun', () => {
  it('warns of rules and keys that have no effect', async ({ onTestFinished }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'rules-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(
      join(cwd, 'script.yaml'),
      'version: 1\nagents:\n  - steps:\n      - text: Done.\n',
    );
    const settings = JSON.stringify({
      permissions: { Deny: ['Bash'], deny: ['bash(rm *)', 'mcp__mail__send'] },
    });
    const model = `scripted:${join(cwd, 'script.yaml')}`;
    const line = parseCommandLine(['-p', 'go', '--model', model, '--settings', settings]);
    const { warnings } = await prepareRun(readRun(line), {
      cwd,
      env: { HOME: cwd },
      isRoot: false,
    });
    expect(warnings).toEqual([
      '--settings:1:24: "permissions.Deny" is not known and has no effect. Did you mean "permissions.deny"?',
      'The rule bash(rm *) (--settings) denies nothing: no tool is called "bash". Did you mean Bash?',
      'The rule mcp__mail__send (--settings) denies nothing: no MCP server is called "mail".',
    ]);
  });
});
