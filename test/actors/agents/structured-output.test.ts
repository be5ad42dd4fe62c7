import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { allLines, writeCut } from '../../support/cut-journal.js';
import { ASK_FIRST, createFolder, createTroupe } from '../../support/troupe.js';

const outputSchema = {
  type: 'object',
  properties: { count: { type: 'integer' } },
  required: ['count'],
};
const give = (input: Readonly<Record<string, unknown>>) => ({
  tools: [{ name: 'StructuredOutput', input }],
});

/** Answers by how much was said before: the same in every process. */
const STEPS: readonly ScriptedReply[] = [
  { text: 'Three.' },
  give({ count: 'three' }),
  { text: 'Really, three.' },
  give({ count: 3 }),
];

function replyTo({ messages }: ModelRequest): ScriptedReply {
  const said = messages.filter(({ role }) => role === 'assistant').length;
  return STEPS[Math.min(said, STEPS.length - 1)] as ScriptedReply; // there are some
}

async function resultOf(session: AsyncIterable<SessionMessage>): Promise<unknown> {
  let last: SessionMessage | undefined;
  for await (const message of session) last = message;
  return last;
}

describe('a session with an outputSchema', () => {
  it('results in the object', async () => {
    const { troupe } = await createTroupe(replyTo);
    const session = troupe.session({ prompt: 'How many?', outputSchema });
    expect(await session.result).toEqual({ count: 3 });
  });

  it('gives an answer to each prompt of a session that stays open', async () => {
    const { troupe } = await createTroupe(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      return give({ count: said });
    });
    const session = troupe.session({ prompt: 'one', outputSchema, staysOpen: true });
    const outputs: unknown[] = [];
    for await (const message of session) {
      if (message.type !== 'result' || message.subtype !== 'success') continue;
      outputs.push(message.structured_output);
      if (outputs.length === 1) await session.prompt('two');
      else session.end();
    }
    expect(outputs).toEqual([{ count: 0 }, { count: 1 }]);
  });

  it('takes no answer to an earlier prompt for one to the newest', async () => {
    const replies = [give({ count: 1 }), { text: 'No.' }, give({ count: 2 })];
    const { troupe } = await createTroupe(() => replies.shift() as ScriptedReply);
    const session = troupe.session({ prompt: 'one', outputSchema, staysOpen: true });
    const outputs: unknown[] = [];
    for await (const message of session) {
      if (message.type !== 'result' || message.subtype !== 'success') continue;
      outputs.push(message.structured_output);
      if (outputs.length === 1) await session.prompt('two');
      else session.end();
    }
    expect(outputs).toEqual([{ count: 1 }, { count: 2 }]);
  });

  it('ends with the first answer that fits, and asks the model no more', async () => {
    let requests = 0;
    const { troupe } = await createTroupe(() => {
      requests += 1;
      return {
        text: 'So:',
        tools: [
          { name: 'Bash', input: { command: 'printf before' } },
          { name: 'StructuredOutput', input: { count: 3 } },
          { name: 'StructuredOutput', input: { count: 4 } },
          { name: 'Bash', input: { command: 'printf after' } },
        ],
      };
    });
    const session = troupe.session({ prompt: 'How many?', outputSchema, maxTurns: 1 });
    const results: unknown[] = [];
    let last: SessionMessage | undefined;
    for await (const message of session) {
      last = message;
      if (message.type !== 'user') continue;
      for (const block of message.message.content)
        if (block.type === 'tool_result') results.push(block.content);
    }
    expect(results).toEqual(['before', 'The answer was accepted.', expect.any(String), 'after']);
    expect(last).toMatchObject({ subtype: 'success', num_turns: 1 });
    expect(requests).toBe(1);
  });

  it('does not remind an agent whose turn a person has ended', async () => {
    const { troupe } = await createTroupe(
      () => ({
        tools: [{ name: 'Bash', input: { command: 'touch x' } }],
      }),
      {
        permissions: ASK_FIRST,
        canUseTool: () => Promise.resolve({ behavior: 'deny' }),
      },
    );
    const session = troupe.session({ prompt: 'go', outputSchema });
    expect(await session.outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'STRUCTURED_OUTPUT_MISSING',
        message:
          'The agent gave no answer that satisfies the schema: its turn was ended by a refusal.',
      },
    });
  });

  it('ends if the schema cannot be used', async () => {
    const { troupe } = await createTroupe(replyTo);
    const schema = { type: 'object', properties: { a: { type: 'strin' } } };
    const session = troupe.session({ outputSchema: schema });
    expect(await session.outcome).toEqual({
      status: 'killed',
      reason: expect.stringContaining('schema/properties/a/type must be equal to one of'),
    });
    expect(() => troupe.session({ outputSchema: { type: 'array' } })).toThrow(
      'schema/type must be "object" and is "array"',
    );
  });

  it('continues from every line of its journal to the same answer', async () => {
    const folder = await createFolder();
    const [cwd, home] = [folder, join(folder, 'home')];
    let clock = 1_000_000;
    const open = (): ReturnType<typeof createOrchestrator> => {
      const model = createScriptedModel(replyTo);
      const troupe = createOrchestrator({ cwd, home, model, now: () => (clock += 1) });
      onTestFinished(() => troupe.close());
      return troupe;
    };
    const first = open();
    const session = first.session({ prompt: 'How many?', outputSchema });
    await resultOf(session);
    await first.close();
    const lines = allLines(session.directory);
    const start = lines.findIndex(({ fields }) => fields['type'] === 'mail.accepted');
    const id = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';
    const ends: unknown[] = [];
    for (let count = start + 1; count < lines.length; count += 1) {
      writeCut(session.directory, join(dirname(session.directory), id), lines.slice(0, count));
      const troupe = open();
      const resumed = troupe.session({ resume: id, staysOpen: false });
      const outcome = await resumed.outcome;
      await troupe.close();
      const kinds = lines.slice(0, count).map(({ fields }) => fields['key']);
      ends.push([kinds.at(-1), outcome.status === 'completed' && outcome.result]);
    }
    const wrong = ends.filter((end) => JSON.stringify((end as unknown[])[1]) !== '{"count":3}');
    expect(wrong).toEqual([]);
  });
});
