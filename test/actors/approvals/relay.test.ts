import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { createChangeTool, createWaitTool } from '../../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';
import { watchRelay } from '../../support/watch-relay.js';

const AGENTS = [defineAgent('worker'), defineAgent('sub')];
const ALLOW = { behavior: 'allow' } as const;

/** A tree three deep whose lowest agent changes something; `seen` holds the results that it got. */
function threeDeep({
  background,
  change,
}: {
  readonly background: boolean;
  readonly change: readonly { readonly name: string; readonly input: Record<string, unknown> }[];
}) {
  const seen: ToolResultBlock[] = [];
  const script = playParts({
    main: [{ tools: [agentCall('worker', { background })] }, { text: 'Main is done.' }],
    worker: [{ tools: [agentCall('sub', { background })] }, { text: 'Worker is done.' }],
    sub: [
      { tools: change },
      ({ messages }) => {
        seen.push(...newestResults(messages));
        return { text: 'Sub is done.' };
      },
    ],
  });
  return { script, seen };
}

const CHANGE = [{ name: 'Change', input: { what: 'it' } }];

describe('an ask from three deep', () => {
  it.each([
    ['foreground', false],
    ['background', true],
  ])('climbs hop by hop, each of which writes its own entry: %s', async (_name, background) => {
    const relay = watchRelay();
    const { tool, ran } = createChangeTool();
    const { script, seen } = threeDeep({ background, change: CHANGE });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
      inspect: relay.inspect,
    });
    const shown: PermissionRequest[] = [];
    troupe.approvals.onRequest(
      (request) => {
        shown.push(request);
        return Promise.resolve(ALLOW);
      },
      { by: 'the test' },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual(['it']);
    expect(seen.map(resultText)).toEqual(['changed it']);

    const [request] = shown;
    const { agentId, taskId, toolUseId } = request as PermissionRequest;
    const path = session.task(taskId)?.path.toReversed() ?? [];
    expect(path).toHaveLength(3);
    const receivers = [agentId, ...path, 'orchestrator', 'permissionDesk'];
    expect(relay.seen.map(({ actor }) => actor)).toEqual(
      receivers.toSpliced(-2, 0, 'supervisor'), // of the session
    );
    // what each got was written by those below it, and its own entry is the next one; a supervisor is no hop
    const hopsSeen = relay.seen.filter(({ actor }) => actor !== 'supervisor');
    for (const [index, hop] of hopsSeen.entries()) {
      expect(hop.path.map(({ actor }) => actor)).toEqual(
        [toolUseId, ...receivers].slice(0, index + 1),
      );
    }
    const [answered, ...more] = await linesOf(session, 'audit.jsonl', 'permission.answered');
    expect(more).toEqual([]);
    const hops = answered?.['path'] as { actor: string; verdict: string; at: number }[];
    expect(hops.map(({ actor, verdict }) => `${actor} ${verdict}`)).toEqual([
      `${toolUseId} asked`,
      ...[agentId, ...path, 'orchestrator'].map((actor) => `${actor} passed on`),
      'desk allowed',
    ]);
    const times = hops.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(answered).toMatchObject({
      agentId,
      taskId,
      toolUseId,
      by: 'the test',
      behavior: 'allow',
    });
  });

  it('reaches the approver while tools beside it still run', async () => {
    const order: string[] = [];
    const asked = createGate();
    const { tool } = createChangeTool();
    const wait = createWaitTool(async () => {
      await asked.opened; // an ask that waited for this one would never come
      order.push('the tool beside it ended');
    });
    const script = playParts({
      main: [{ tools: [agentCall('sleeper'), agentCall('worker')] }, { text: 'Main is done.' }],
      sleeper: [{ tools: [bashCall('sleep 2')] }, { text: 'Slept.' }],
      worker: [{ tools: [{ name: 'Wait' }, ...CHANGE] }, { text: 'Changed.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: [...AGENTS, defineAgent('sleeper')],
      tools: [tool, wait],
      permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['Bash(sleep 2)'] } },
    });
    troupe.approvals.onRequest(() => {
      order.push('asked');
      asked.open();
      return Promise.resolve(ALLOW);
    });
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_bash' && status === 'completed') order.push('the sleep ended');
    });
    expect((await session.outcome).status).toBe('completed');
    expect(order).toEqual(['asked', 'the tool beside it ended', 'the sleep ended']);
  });
});

describe('decisions', () => {
  it('counts the first and tells the others whose it was, also when they come late', async () => {
    const { tool, ran } = createChangeTool();
    const { script, seen } = threeDeep({ background: false, change: CHANGE });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
    });
    troupe.approvals.onRequest(() => Promise.resolve(undefined)); // leaves it to others
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const request = await nextRequest(session);
    const deny = { behavior: 'deny', message: 'no' } as const;
    const receipts = await Promise.all([
      troupe.approvals.decide(request.requestId, ALLOW, 'alice'),
      troupe.approvals.decide(request.requestId, deny, 'bob'),
    ]);
    expect(receipts).toEqual([{ status: 'accepted' }, { status: 'already_decided', by: 'alice' }]);
    await restOf(session);
    expect(await troupe.approvals.decide(request.requestId, deny, 'carol')).toEqual({
      status: 'already_decided',
      by: 'alice',
    });
    expect(await troupe.approvals.decide('ask_000000000000', deny, 'dave')).toEqual({
      status: 'unknown',
    });
    expect(await troupe.approvals.decide('nonsense', deny, 'dave')).toEqual({ status: 'unknown' });
    const none = { behavior: 'alow' } as unknown as typeof deny;
    await expect(troupe.approvals.decide(request.requestId, none)).rejects.toThrow(
      'This is not a permission decision: "behavior" must be one of "allow", "deny", not the string "alow". Did you mean "allow"?',
    );
    expect(ran).toEqual(['it']);
    expect(seen.map(resultText)).toEqual(['changed it']);
    session.end();
    expect((await session.outcome).status).toBe('completed');
    const late = await linesOf(session, 'audit.jsonl', 'permission.late');
    expect(late.map(({ requestId, by, receipt }) => ({ requestId, by, receipt }))).toEqual(
      ['bob', 'carol'].map((by) => ({
        requestId: request.requestId,
        by,
        receipt: { status: 'already_decided', by: 'alice' },
      })),
    );
  });

  it('come too late for an asker that was killed: the ask was withdrawn', async () => {
    const { tool, ran } = createChangeTool();
    const { script } = threeDeep({ background: true, change: CHANGE });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
    });
    const withdrawn = createGate<string>();
    troupe.approvals.onRequest(
      (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            withdrawn.open('withdrawn');
            resolve(undefined);
          });
        }),
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const request = await nextRequest(session);
    expect(troupe.approvals.list().map(({ requestId }) => requestId)).toEqual([request.requestId]);
    expect(await session.task(request.taskId)?.kill('enough')).toEqual({
      status: 'killed',
      reason: 'enough',
    });
    expect(await withdrawn.opened).toBe('withdrawn');
    expect(troupe.approvals.list()).toEqual([]);
    expect(await troupe.approvals.decide(request.requestId, ALLOW, 'late')).toEqual({
      status: 'cancelled',
    });
    session.end();
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual([]);
    const late = await linesOf(session, 'audit.jsonl', 'permission.late');
    expect(late.map(({ by, receipt }) => ({ by, receipt }))).toEqual([
      { by: 'late', receipt: { status: 'cancelled' } },
    ]);
    const cancelled = await linesOf(session, 'audit.jsonl', 'permission.cancelled');
    expect(cancelled.map(({ requestId }) => requestId)).toEqual([request.requestId]);
  });

  it('are made against it if nobody is attached', async () => {
    const { tool, ran } = createChangeTool();
    const { script, seen } = threeDeep({ background: false, change: CHANGE });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
    });
    const session = troupe.session({ prompt: 'Go.' });
    const denied: string[] = [];
    session.events.on('permission.denied', (_origin, { toolName, reason }) => {
      denied.push(`${toolName} ${reason.type}`);
    });
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual([]);
    expect(denied).toEqual(['Change asyncAgent']);
    expect(seen.map(({ is_error }) => is_error)).toEqual([true]);
    expect(resultText(seen[0] as ToolResultBlock)).toContain('nobody is there');
  });
});

type Session = ReturnType<Awaited<ReturnType<typeof createTroupe>>['troupe']['session']>;

function nextRequest({ events }: Session): Promise<PermissionRequest> {
  return new Promise((resolve) => events.once('permission.requested', resolve));
}

/** Resolves when the session's own agent has nothing to do for now. */
function restOf({ events, id }: Session): Promise<void> {
  return new Promise((resolve) => {
    events.on('agent.idle', ({ taskId }) => {
      if (taskId === id) resolve();
    });
  });
}
