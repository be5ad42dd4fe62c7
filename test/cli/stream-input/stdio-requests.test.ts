import { describe, expect, it } from 'vitest';
import type { Approvals, AskHandler } from '../../../src/actors/contract/approvals.js';
import { createStdioRequests } from '../../../src/cli/stream-input/stdio-requests.js';
import type { AnswerReceipt } from '../../../src/core/answer-receipt.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { AgentId, RequestId, TaskId } from '../../../src/core/ids.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';

const REQUEST: PermissionRequest = {
  type: 'permission.request',
  requestId: 'ask_000000000001' as RequestId,
  kind: 'permission',
  toolName: 'Bash',
  toolUseId: 'toolu_1',
  input: { command: 'make' },
  description: 'make',
  message: 'Bash: make',
  suggestions: [],
  facts: undefined,
  agentId: 'aada-0000000000000000' as AgentId,
  agent: {
    id: 'aada-0000000000000000' as AgentId,
    name: 'ada',
    type: 'worker',
    description: 'Build it',
  },
  taskId: 'a00000001' as TaskId,
  from: 'work',
  path: [],
  at: 0,
};

/** A client's asks over a desk that gives these receipts, or throws these errors, one after the other. */
function startAsks(...receipts: (AnswerReceipt | Error)[]) {
  const written: unknown[] = [];
  const complaints: string[] = [];
  const answers: PermissionAnswer[] = [];
  let handler: AskHandler = () => Promise.resolve(undefined);
  const approvals: Approvals = {
    list: () => [],
    decide: (_id, answer) => {
      answers.push(answer);
      const receipt = receipts.shift() ?? { status: 'unknown' };
      return receipt instanceof Error ? Promise.reject(receipt) : Promise.resolve(receipt);
    },
    onRequest: (added) => {
      handler = added;
      return () => {};
    },
  };
  const asks = createStdioRequests({
    approvals,
    sessionId: 's',
    write: (line) => written.push(line),
    complain: (message) => complaints.push(message),
  });
  const over = new AbortController();
  const present = () => handler(REQUEST, { signal: over.signal });
  const take = (response: unknown, requestId: string = REQUEST.requestId) =>
    asks.take({ type: 'control_response', requestId, answer: { ok: true, response } });
  return { take, present, over, written, complaints, answers };
}

const ASK_LINE = {
  type: 'control_request',
  request_id: 'ask_000000000001',
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'make' },
    tool_use_id: 'toolu_1',
    agent_id: 'a00000001',
    description: 'Bash: make',
  },
};

describe('createStdioRequests', () => {
  it('asks, and hands the answer on without an input that is the same', async () => {
    const { take, present, over, written, answers } = startAsks({ status: 'accepted' });
    const left = present();
    await take({ behavior: 'allow', updatedInput: { command: 'make' } });
    over.abort();
    expect(await left).toBeUndefined();
    expect(answers).toEqual([{ behavior: 'allow' }]);
    expect(written).toEqual([ASK_LINE]);
  });

  it('hands an edited input on', async () => {
    const { take, present, answers } = startAsks({ status: 'accepted' });
    void present();
    await take({ behavior: 'allow', updatedInput: { command: 'make -n' } });
    expect(answers).toEqual([{ behavior: 'allow', updatedInput: { command: 'make -n' } }]);
  });

  it('withdraws an ask that somebody else answered', async () => {
    const { present, over, written } = startAsks();
    const left = present();
    over.abort();
    await left;
    expect(written).toEqual([
      ASK_LINE,
      { type: 'control_cancel_request', request_id: 'ask_000000000001' },
    ]);
  });

  it('reports a second answer, and who gave the first', async () => {
    const { take, present, written } = startAsks(
      { status: 'accepted' },
      { status: 'already_decided', by: 'stdio' },
    );
    void present();
    await take({ behavior: 'allow' });
    await take({ behavior: 'deny', message: 'no' });
    expect(written[1]).toEqual({
      type: 'system',
      subtype: 'already_decided',
      request_id: 'ask_000000000001',
      status: 'already_decided',
      decided_by: 'stdio',
      uuid: expect.any(String),
      session_id: 's',
    });
  });

  it('leaves the ask open at an answer that cannot be used', async () => {
    const { take, present, complaints, answers } = startAsks();
    void present();
    await take({ behavior: 'deny', message: 3 });
    expect(answers).toEqual([]);
    expect(complaints).toEqual([
      'the answer to ask_000000000001 is invalid, the request stays open: "response.response.message" ' +
        'must be a string, not the number 3. Answer {"behavior":"allow"} or {"behavior":"deny","message":"why"}.',
    ]);
  });

  it('leaves the ask open at an answer that the session refuses', async () => {
    const { take, present, over, written, complaints } = startAsks(
      new Error('The permission mode "bypassPermissions" is not available.'),
      { status: 'accepted' },
    );
    void present();
    const setMode = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' };
    await take({ behavior: 'allow', updatedPermissions: [setMode] });
    expect(complaints).toEqual([
      'the answer to ask_000000000001 is invalid, the request stays open: The permission mode "bypassPermissions" is not available.',
    ]);
    await take({ behavior: 'allow' });
    over.abort();
    expect(written).toEqual([ASK_LINE]);
  });

  it('complains about an answer to nothing', async () => {
    const { take, complaints } = startAsks();
    await take({ behavior: 'allow' }, 'ask_zork');
    expect(complaints).toEqual(['there is no permission request with the request_id "ask_zork"']);
  });
});
