import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import { PermissionRequestOverError } from '../../../src/actors/contract/permission-request-over-error.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

const ORDER = { name: 'Order', input: { item: 'bolts' } };
const DENY: PermissionAnswer = { behavior: 'deny', message: 'Not today.' };

/** Orders things; says so in its own words. */
function createOrderTool(
  description = ({ item, count }: { item: string; count: number }) => `Order ${count} × ${item}`,
) {
  return buildTool({
    name: 'Order',
    inputSchema: z.object({ item: z.string(), count: z.int().default(3) }),
    description,
    call: ({ item }) => Promise.resolve({ data: `ordered ${item}` }),
  });
}

describe('a permission request', () => {
  it('says which agent makes it, and describes the call in the words of the tool', async () => {
    const script = playParts({
      main: [
        { tools: [ORDER] },
        { tools: [agentCall('buyer', { name: 'ada' })] },
        { text: 'Done.' },
      ],
      ada: [{ tools: [ORDER] }, { text: 'Bought.' }],
    });
    const requests: PermissionRequest[] = [];
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('buyer')],
      tools: [createOrderTool()],
      permissions: ASK_FIRST,
    });
    troupe.approvals.onRequest((request) => {
      requests.push(request);
      return Promise.resolve(DENY);
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(
      requests.map(({ agentId, agent, description }) => ({ agentId, agent, description })),
    ).toEqual([
      {
        agentId: expect.stringMatching(/^amain-/),
        agent: {
          id: requests[0]?.agentId,
          name: 'main',
          type: 'main',
          description: 'The session itself.',
        },
        description: 'Order 3 × bolts',
      },
      {
        agentId: expect.stringMatching(/^aada-/),
        agent: { id: requests[1]?.agentId, name: 'ada', type: 'buyer', description: 'ada' },
        description: 'Order 3 × bolts',
      },
    ]);
  });

  it('carries the name of the tool if the tool cannot describe the call', async () => {
    const descriptions: string[] = [];
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [ORDER] }, { text: 'Done.' }] }),
      {
        tools: [
          createOrderTool(({ item }) => {
            throw new Error(`no words for ${item}`);
          }),
        ],
        permissions: ASK_FIRST,
      },
    );
    troupe.approvals.onRequest(({ description }) => {
      descriptions.push(description);
      return Promise.resolve(DENY);
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(descriptions).toEqual(['Order']);
  });
});

describe('the signal of a permission handler', () => {
  /** A session that orders something. `asked` opens with the request, `over` with the reason of the signal. */
  async function startOrder() {
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('buyer', { name: 'ada' })] }, { text: 'Done.' }],
        ada: [{ tools: [ORDER] }, { text: 'Bought.' }],
      }),
      { agents: [defineAgent('buyer')], tools: [createOrderTool()], permissions: ASK_FIRST },
    );
    const asked = createGate<PermissionRequest>();
    const over = createGate<unknown>();
    troupe.approvals.onRequest((request, { signal }) => {
      signal.addEventListener('abort', () => over.open(signal.reason));
      asked.open(request);
      return new Promise(() => {});
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    return { troupe, session, request: await asked.opened, over: over.opened };
  }

  /** The text of a reason. */
  function said(reason: unknown) {
    const { name, code, end, message } = reason as PermissionRequestOverError;
    return { isOver: reason instanceof PermissionRequestOverError, name, code, end, message };
  }
  const OVER = { isOver: true, name: 'AbortError', code: 'PERMISSION_REQUEST_OVER' };

  it('says who has answered', async () => {
    const { troupe, request, over } = await startOrder();
    await troupe.approvals.decide(request.requestId, DENY, 'bob');
    expect(said(await over)).toEqual({
      ...OVER,
      end: { status: 'answered', by: 'bob' },
      message: 'bob has answered the permission request: no other decision is needed.',
    });
  });

  it('says that the request was withdrawn if the turn of its agent is interrupted', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [ORDER] }, { text: 'Done.' }] }),
      { tools: [createOrderTool()], permissions: ASK_FIRST },
    );
    const over = createGate<unknown>();
    troupe.approvals.onRequest((_request, { signal }) => {
      signal.addEventListener('abort', () => over.open(signal.reason));
      session.interrupt();
      return new Promise(() => {});
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    expect(said(await over.opened)).toEqual({
      ...OVER,
      end: { status: 'withdrawn' },
      message: 'The agent has withdrawn its permission request: no decision is needed.',
    });
  });

  it.each([
    ['its agent', ({ session, request }) => session.task(request.taskId)?.kill()],
    ['the session', ({ session }) => session.kill()],
    ['the orchestrator', ({ troupe }) => troupe.close()],
  ] satisfies readonly [string, (order: Awaited<ReturnType<typeof startOrder>>) => unknown][])(
    'says that %s is ending',
    async (_, end) => {
      const order = await startOrder();
      void end(order);
      expect(said(await order.over)).toEqual({
        ...OVER,
        end: { status: 'ended' },
        message: 'The agent that made the permission request is ending: no decision is needed.',
      });
    },
  );
});

describe('the request of a command line with several commands', () => {
  it('has the rule or the reason of each of them', async () => {
    const requests: PermissionRequest[] = [];
    const command = 'git status && touch made > log; npm test | tail -5';
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [bashCall(command)] }, { text: 'Done.' }] }),
      { permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['Bash(npm test)'] } } },
    );
    troupe.approvals.onRequest((request) => {
      requests.push(request);
      return Promise.resolve(DENY);
    });
    await troupe.session({ prompt: 'Go.' }).result;
    expect(requests.map(({ message, details }) => ({ message, details }))).toEqual([
      {
        message: 'Bash: No rule allows "touch made".',
        details: {
          'Command 1': '"git status" is allowed: it only reads',
          'Command 3': '"npm test" is allowed: the rule Bash(npm test) (this session)',
          'Command 4': '"tail -5" is allowed: it only reads',
        },
      },
    ]);
  });
});
