import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OrchestratorOptions } from '../../src/actors/options/orchestrator-options.js';
import type { AskHandler } from '../../src/actors/contract/approvals.js';
import type { PermissionDecisionReason } from '../../src/core/decision-types.js';
import { createSdkMcpServer, tool } from '../../src/extensions/mcp/servers/sdk-server.js';
import { decide } from '../../src/permissions/decide.js';
import { shellFacts } from './corpus.js';
import { createChangeTool } from '../support/probe-tools.js';
import { agentCall, bashCall, playParts } from '../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../support/troupe.js';

type Case = {
  readonly use: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  readonly options?: Partial<OrchestratorOptions>;
  /** Who is attached, and by what name. */
  readonly approver?: readonly [AskHandler, string];
};

const CHANGE = { name: 'Change', input: { what: 'it' } };
const outside = { file_path: '/outside-of-everything/a.txt', content: 'x' };
const refuses: AskHandler = () => Promise.resolve({ behavior: 'deny', message: 'No.' });

/** A server whose tool refuses whatever it is asked. */
function createJudge() {
  const verdict = JSON.stringify({ behavior: 'deny', message: 'No.' });
  const input = { tool_name: z.string(), input: z.unknown(), tool_use_id: z.string().optional() };
  const ask = tool('ask', 'Judges a use.', input, () =>
    Promise.resolve({ content: [{ type: 'text', text: verdict }] }),
  );
  return createSdkMcpServer({ name: 'judge', tools: [ask] });
}

/** A way to each of the eleven; `sandboxOverride` needs a sandbox, and has a test below. */
const CASES: {
  readonly [Name in Exclude<PermissionDecisionReason['type'], 'sandboxOverride'>]: Case;
} = {
  rule: {
    use: CHANGE,
    options: { permissions: { ...ASK_FIRST, alwaysDenyRules: { session: ['Change(it)'] } } },
  },
  mode: { use: CHANGE, options: { permissions: { ...ASK_FIRST, mode: 'dontAsk' } } },
  subcommandResults: { use: bashCall('pwd && ls') },
  permissionPromptTool: {
    use: CHANGE,
    options: { mcpServers: { judge: createJudge() }, permissionPromptTool: 'mcp__judge__ask' },
  },
  hook: {
    use: CHANGE,
    options: {
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ decision: 'block' })] }] },
    },
  },
  asyncAgent: { use: CHANGE },
  classifier: {
    use: CHANGE,
    options: {
      permissions: { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true },
      classifier: { classify: () => Promise.resolve({ behavior: 'allow', reason: 'Fine.' }) },
    },
  },
  workingDir: { use: { name: 'Write', input: outside } },
  safetyCheck: { use: bashCall('echo x > .git/config') },
  other: { use: CHANGE, approver: [refuses, 'person'] },
};

/** The reasons that the audit of a session gives whose agent, or a sub-agent of it, makes one use. */
async function reasonsOf({ use, options = {}, approver }: Case, inSubAgent: boolean) {
  const asks = [{ tools: [use] }, { text: 'Done.' }];
  const script = playParts(
    inSubAgent
      ? { main: [{ tools: [agentCall('sub')] }, { text: 'Done.' }], sub: asks }
      : { main: asks },
  );
  const { troupe } = await createTroupe(script, {
    tools: [createChangeTool().tool],
    agents: [defineAgent('sub')],
    permissions: ASK_FIRST,
    ...options,
  });
  if (approver !== undefined) troupe.approvals.onRequest(approver[0], { by: approver[1] });
  const session = troupe.session({ prompt: 'Go.' });
  await session.outcome;
  const text = await readFile(join(session.directory, 'audit.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .map(({ reason }) => (typeof reason === 'object' ? reason.type : undefined));
}

type Line = { readonly reason?: string | { readonly type: string } };

it('a command that leaves the sandbox is decided with the reason sandboxOverride', () => {
  const facts = { ...shellFacts('pwd'), leavesSandbox: 'excludedCommand' } as const;
  expect(decide(facts, ASK_FIRST)).toMatchObject({
    behavior: 'ask',
    decisionReason: { type: 'sandboxOverride', reason: 'excludedCommand' },
  });
});

describe.each([
  ['the session’s own agent', false],
  ['a sub-agent', true],
])('a use of %s', (_, inSubAgent) => {
  it.each(Object.keys(CASES) as (keyof typeof CASES)[])(
    'is decided with the reason %s in the audit',
    async (name) => {
      expect(await reasonsOf(CASES[name], inSubAgent)).toContain(name);
    },
  );
});
