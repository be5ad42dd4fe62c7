import { readdirSync, readFileSync } from 'node:fs';
import type {
  AssistantMessage,
  ToolResultBlock,
  ToolUseBlock,
} from '../../../src/core/messages.js';
import type { AgentEntry } from '../../../src/journal/entries/agent-entries.js';
import type { FakeMessagesApi, FakeRequestBody } from '../../../src/testing/fake-messages-api.js';
import { firstPrompt, textOf } from './answers.js';
import { agentJournals, journalLines } from './journal-files.js';
import type { Place } from './place.js';

type Use = { readonly key: string; readonly use: ToolUseBlock };

/**
 * The differences between the journal of a run that was cut off and the world: an event of the journal must have
 * happened, and an effect outside must be in the journal. Its tools are `Write` of a file and `echo WORD >> trace.log`.
 * Throws if a whole line of the journal cannot be read.
 */
export async function findContradictions(
  place: Place,
  { requests }: Pick<FakeMessagesApi, 'requests'>,
): Promise<readonly string[]> {
  const session = await place.session();
  const journals = await agentJournals(session);
  for (const file of ['tasks.jsonl', 'audit.jsonl'] as const)
    if (readdirSync(session).includes(file)) await journalLines(session, file);

  const traces = place.has('trace.log') ? (await place.text('trace.log')).trim().split('\n') : [];
  const begun = [...journals.values()].flatMap(usesOf);
  const noted = JSON.stringify(begun.map(({ use }) => use.input));
  // a file that was being written lies beside its place, under another name
  const written = (await place.files()).filter((name) => /^\w+\.txt$/.test(name));
  return [
    ...findRepeated(traces).map((trace) => `"${trace}" ran twice`),
    ...findRepeated(begun.map(({ key }) => key)).map((key) => `${key} was begun twice`),
    ...traces
      .filter((trace) => !noted.includes(`echo ${trace} `))
      .map((trace) => `"${trace}" ran and was not begun`),
    ...written
      .filter((name) => !noted.includes(place.at(name)))
      .map((name) => `${name} was written and not begun`),
    ...[...journals.values()].flatMap((entries) => findUndone(entries, traces)),
    ...requests.flatMap(({ body }) => findUnjournaled(body, journals)),
  ];
}

function usesOf(entries: readonly AgentEntry[]): readonly Use[] {
  return entries.flatMap((entry) =>
    // what is noted of a tool that is about to run is the model's block
    entry.type === 'step.begun' ? [{ key: entry.key, use: entry.note as ToolUseBlock }] : [],
  );
}

function doneOf(entries: readonly AgentEntry[]): ReadonlyMap<string, unknown> {
  return new Map(
    entries.flatMap((entry) => (entry.type === 'step.done' ? [[entry.key, entry.result]] : [])),
  );
}

/** Tools that had run by the journal, and whose trace is not there; and those that ended before they began. */
function findUndone(entries: readonly AgentEntry[], traces: readonly string[]): readonly string[] {
  const done = doneOf(entries);
  const keys = entries.map((entry) =>
    entry.type === 'step.done' ? `done ${entry.key}` : 'key' in entry ? entry.key : '',
  );
  return usesOf(entries).flatMap(({ key, use }) => {
    const result = done.get(key) as ToolResultBlock | undefined; // a tool's step has a tool's result
    if (use.name === 'Agent' || result === undefined || result.is_error === true) return [];
    if (keys.indexOf(`done ${key}`) < keys.indexOf(key)) return [`${key} was done before it began`];
    const { file_path: path = '', content, command = '' } = use.input as Record<string, string>; // of the script's tools
    const isThere =
      use.name === 'Write'
        ? readFileSync(path, 'utf8') === content
        : traces.includes(/^echo (\S+) /.exec(command)?.[1] ?? '');
    return isThere ? [] : [`${use.name} of ${key} is done and left nothing`];
  });
}

/** Parts of a request that has arrived and that its agent's journal does not have. */
function findUnjournaled(
  body: FakeRequestBody,
  journals: ReadonlyMap<string, readonly AgentEntry[]>,
): readonly string[] {
  const prompt = firstPrompt(body);
  const entries = [...journals.values()].find((each) =>
    each.some(
      (entry) =>
        entry.type === 'mail.accepted' &&
        entry.envelope.kind === 'prompt' &&
        textOf(entry.envelope.content) === prompt,
    ),
  );
  if (entries === undefined) return [`no journal has the prompt "${prompt}"`];
  const done = doneOf(entries);
  const replies = [...done].filter(([key]) => key.endsWith('/model')).map(([, reply]) => reply);
  const said = replies.flatMap((reply) => (reply as { message: AssistantMessage }).message.content); // a model step's result
  return body.messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [];
    return content.flatMap((block) => {
      if (block.type === 'tool_result') {
        const name = `/tool:${String(block['tool_use_id'])}`;
        const result = [...done].find(([key]) => key.endsWith(name))?.[1] as
          ToolResultBlock | undefined; // as above
        const isSame = textOf(result?.content) === textOf(block['content']);
        return isSame ? [] : [`the result of ${String(block['tool_use_id'])} is another`];
      }
      if (block.type !== 'tool_use') return [];
      const isSaid = said.some((one) => one.type === 'tool_use' && one.id === block['id']);
      return isSaid ? [] : [`no reply has ${String(block['id'])}`];
    });
  });
}

function findRepeated(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
