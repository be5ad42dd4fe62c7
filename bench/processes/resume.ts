/** Writes a long session, or resumes it in a fresh process: from there to its first request. */
import { createOrchestrator, createScriptedModel, type Model } from 'troupe';
import { readInput, sendResult } from '../processes.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS, Wait } from '../troupe-parts.js';

export type ResumeInput = {
  readonly folder: string;
  /** Writes a session of so many turns, each of which is two messages; resumes one if absent. */
  readonly turns?: number;
};
export type ResumeResult = {
  /** Messages of the first request. */
  readonly messages: number;
  readonly firstRequestMs: number;
};

const { folder, turns } = readInput<ResumeInput>();
const scripted = createScriptedModel(({ messages }) =>
  messages.length < 2 * (turns ?? 0)
    ? { tools: [{ name: 'Echo', input: { text: `message ${messages.length}` } }] }
    : { text: 'Done.' },
);
let startedAt = 0;
let first: ResumeResult | undefined;
const model: Model = {
  stream(request, options) {
    const { length } = request.messages;
    first ??= { messages: length, firstRequestMs: performance.now() - startedAt };
    return scripted.stream(request, options);
  },
};

startedAt = performance.now();
const troupe = createOrchestrator({
  cwd: folder,
  home: folder,
  model,
  tools: [createEcho(() => {}), Wait],
  agents: [MEASURED_AGENT],
  permissions: PERMISSIONS,
});
const session = troupe.session({
  prompt: 'Go.',
  ...(turns === undefined ? { continues: true } : { agent: MEASURED_AGENT.name }),
});
await session.result;
await troupe.close();
if (first === undefined) throw new Error('The session made no request.');
await sendResult<ResumeResult>(first);
