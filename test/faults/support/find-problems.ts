import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Envelope } from '../../../src/core/events.js';
import type { AgentEntry } from '../../../src/journal/entries/agent-entries.js';
import { JournalDamagedError, readAnyLines } from '../../../src/journal/read-journal.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import { textOf } from '../../e2e/support/answers.js';
import { EFFECTS, speakerOf } from './crew.js';
import { sessionsOf, type FaultRun } from './fault-run.js';

const Line = z.looseObject({ type: z.string(), uuid: z.string() });
type Line = z.infer<typeof Line>;

/**
 * The problems of a run of the crew, in words, whatever happened to its processes: broken journals, effects or messages
 * that happened twice or got lost, requests that the API refuses or that do not extend the one before.
 *
 * @param isOver the session has come to its end: each accepted message must have arrived
 */
export async function findProblems(
  run: FaultRun,
  { isOver }: { readonly isOver: boolean },
): Promise<readonly string[]> {
  return [
    ...run.api.problems.map((problem) => `a request was refused: ${problem}`),
    ...sessionsOf(run.place).flatMap(findJournalProblems),
    ...(await findEffectProblems(run)),
    ...findMessageProblems(run, isOver),
    ...findPrefixProblems(run),
  ];
}

/** Lines that cannot be read or are missing, tasks with two ends, requests with two decisions, steps that ran twice. */
export function findJournalProblems(session: string): readonly string[] {
  const names = readdirSync(session, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const uuids: string[] = [];
  const problems: string[] = [];
  const files = names.map((name) => {
    const lines = readAnyLines(join(session, name), Line).flatMap((line) => {
      if (!(line instanceof JournalDamagedError)) return [line];
      problems.push(`damaged: ${line.message}`);
      return [];
    });
    uuids.push(...lines.map(({ uuid }) => uuid));
    return { name, lines };
  });
  const linesOf = (name: string): readonly Line[] =>
    files.find((file) => file.name === name)?.lines ?? [];
  const agents = files.filter(({ name }) => name.startsWith('agent-'));
  const mail = agents.flatMap(({ lines }) => acceptedIn(lines));
  return [
    ...problems,
    ...repeated(uuids).map((uuid) => `the uuid ${uuid} stands twice`),
    ...repeated(
      linesOf('tasks.jsonl')
        .filter(({ type, outcome }) => type === 'task.lost' || outcome !== undefined)
        .map(({ id }) => String(id)),
    ).map((id) => `task ${id} has two ends`),
    ...repeated(
      linesOf('audit.jsonl')
        .filter(({ type }) => type === 'permission.answered')
        .map(({ requestId }) => String(requestId)),
    ).map((id) => `the request ${id} has two decisions`),
    ...repeated(mail.filter(({ kind }) => kind !== 'notification').map(({ id }) => id)).map(
      (id) => `message ${id} was accepted twice`,
    ),
    ...agents.flatMap(({ name, lines }) => findAgentProblems(name, lines)),
  ];
}

function findAgentProblems(name: string, lines: readonly Line[]): readonly string[] {
  const done = lines.filter(({ type }) => type === 'step.done');
  const taken = done
    .filter(({ key }) => String(key).endsWith('/inbox'))
    .flatMap(({ result }) => result as readonly Envelope[]); // as `receive` writes it
  return [
    ...repeated(done.map(({ key }) => String(key)).filter((key) => key !== 'rest')).map(
      (key) => `${name}: ${key} was done twice`,
    ),
    ...repeated(taken.map(({ id }) => id)).map((id) => `${name}: message ${id} was taken twice`),
  ];
}

function acceptedIn(lines: readonly Line[]): readonly Envelope[] {
  const entries = lines as readonly unknown[] as readonly AgentEntry[]; // of an agent's file
  return entries.flatMap((entry) => (entry.type === 'mail.accepted' ? [entry.envelope] : []));
}

/** Commands that ran twice, or that have a successful result and did not run. */
async function findEffectProblems({ place, api }: FaultRun): Promise<readonly string[]> {
  const log = place.has(EFFECTS) ? (await place.text(EFFECTS)).trim().split('\n') : [];
  const told = newestRequests(api.requests).flatMap((request) =>
    resultsOf(request).flatMap(({ text }) => /\bok-(\S+)/.exec(text)?.[1] ?? []),
  );
  return [
    ...repeated(log).map((key) => `the command ${key} ran twice`),
    ...told.filter((key) => !log.includes(key)).map((key) => `${key} was reported, and never ran`),
  ];
}

/** Messages that arrived twice, were accepted and never arrived, or were refused and arrived all the same. */
function findMessageProblems({ api }: FaultRun, isOver: boolean): readonly string[] {
  const newest = newestRequests(api.requests);
  const told = (name: string, token: string): number => {
    const request = newest.find((one) => speakerOf(one) === name);
    const texts = request === undefined ? [] : userTexts(request);
    return texts.filter((text) => text.includes(token)).length;
  };
  return newest.flatMap((request) =>
    resultsOf(request).flatMap(({ use, text, isError }) => {
      if (use?.['name'] !== 'SendMessage') return [];
      const { to, message } = use['input'] as { to: string; message: string }; // as the crew sends it
      const names = to === EVERYBODY ? namesIn(text) : [to === 'lead' ? 'main' : to];
      return names.flatMap((name) => {
        const times = told(name, message);
        const what = `${message} to ${name}`;
        if (times > 1) return [`${what} arrived ${times} times`];
        if (isError && !/unknown/i.test(text) && times > 0)
          return [`${what} was refused (${text.slice(0, 80)}) and arrived`];
        return isOver && !isError && times === 0 ? [`${what} was accepted and never arrived`] : [];
      });
    }),
  );
}

const EVERYBODY = '*';

/** The names of the agents that got the message, by the result of the call. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\ba(\w+)-[0-9a-f]{16}\b/g)].map(([, name = '']) => name);
}

function findPrefixProblems({ api }: FaultRun): readonly string[] {
  const speakers = new Set(api.requests.map(speakerOf));
  return [...speakers].flatMap((speaker) => {
    const own = api.requests.filter((request) => speakerOf(request) === speaker);
    const broken = comparePrefix(own.map(({ body }) => body));
    return broken === undefined
      ? []
      : [`${speaker}: request ${broken.request} is no extension at ${broken.part}`];
  });
}

type Block = { readonly type: string; readonly [key: string]: unknown };

/** The newest request of each agent. */
function newestRequests(requests: readonly FakeRequest[]): readonly FakeRequest[] {
  return [...new Map(requests.map((request) => [speakerOf(request), request])).values()];
}

function blocksOf({ body }: FakeRequest, role: 'user' | 'assistant'): readonly Block[] {
  return body.messages.flatMap((message) => {
    if (message.role !== role) return [];
    const { content } = message;
    return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  });
}

function resultsOf(request: FakeRequest) {
  const uses = new Map(
    blocksOf(request, 'assistant').flatMap((block) =>
      block.type === 'tool_use' ? [[block['id'], block] as const] : [],
    ),
  );
  return blocksOf(request, 'user')
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      use: uses.get(block['tool_use_id']),
      text: textOf(block['content']),
      isError: block['is_error'] === true,
    }));
}

/** The messages that others have sent to the agent: results are its own. */
function userTexts(request: FakeRequest): readonly string[] {
  return blocksOf(request, 'user')
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text));
}

function repeated(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}
