import { setTimeout as delay } from 'node:timers/promises';
import type { AskHandler, PermissionAnswer, PermissionRequest } from '../../api/types.js';
import { PermissionRequestOverError } from '../../api/errors.js';
import { oneLine, unmistakable } from '../../api/text.js';
import { askForPermission, type AskLines } from './ask-for-permission.js';
import type { AskPlace, OpenPlace } from './ask-place.js';
import { questionLines } from './request-lines.js';
import { whoAsks } from './who-asks.js';
import { askQuestions, readQuestions, type AskLine } from './terminal-questions.js';
import { loadTextWidth } from '../output/text-width.js';

export type AskHandlerOptions = {
  /** Name the agent that asks. */
  readonly labelOf?: (request: PermissionRequest) => string;
  /** The file for a rule for this folder; if absent no such rule is offered. */
  readonly folderFile?: string | undefined;
  /** How long the next request waits after a visible request was withdrawn. Default {@link REACTION_MS}. */
  readonly reactionMs?: number;
};

/** A person notices a withdrawn request late: a key for it must not decide the next request. */
const REACTION_MS = 1_000;

/** Ask the person at a place, one request at a time, in the order in which they came. */
export function createAskHandler(
  place: AskPlace,
  {
    labelOf = ({ agent }) => whoAsks(agent),
    folderFile,
    reactionMs = REACTION_MS,
  }: AskHandlerOptions = {},
): AskHandler {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    let isWithdrawn = false;
    const asked = last.then(() => {
      if (signal.aborted) return undefined; // decided or withdrawn during other requests
      const onWithdrawn = (): void => void (isWithdrawn = true);
      const who = labelOf(request);
      return askPerson(request, signal, place, { who, folderFile, onWithdrawn });
    });
    last = asked
      .catch(() => {}) // the caller gets the error, the next request does not
      .then(() => (isWithdrawn ? delay(reactionMs, undefined, { ref: false }) : undefined));
    return asked;
  };
}

type Asking = { readonly who: string; readonly folderFile: string | undefined };

async function askPerson(
  request: PermissionRequest,
  signal: AbortSignal,
  place: AskPlace,
  { who, folderFile, onWithdrawn }: Asking & { readonly onWithdrawn: () => void },
): Promise<PermissionAnswer | undefined> {
  const withdrawn = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  withdrawn.catch(() => {}); // the reader of the next line gets the error
  let open: OpenPlace | undefined;
  try {
    const tool = oneLine(unmistakable(request.toolName), 40);
    const opened = (open = await place.open(`${who} asks to use ${tool}.`, signal));
    const text = await loadTextWidth();
    const ask: AskLines = async (lay) => {
      const { lines, menu } = lay(opened.columns);
      opened.show(lines, menu, lay);
      return Promise.race([opened.nextLine(), withdrawn]);
    };
    const askLine: AskLine = async (...question) => {
      const typed = await ask((columns) => questionLines(question, { columns, text }));
      return typed?.text;
    };
    const answer = await (questionOf(request, who, askLine) ??
      askForPermission(request, { who, folderFile, signal, text, place: opened, ask }));
    return answer ?? { behavior: 'deny', message: 'The terminal was closed: nobody can be asked.' };
  } catch (error) {
    if (!signal.aborted) throw error;
    if (open === undefined) return undefined;
    open.show([{ text: '' }, { text: `  ${describeOver(signal.reason)}` }]);
    onWithdrawn();
    return undefined;
  } finally {
    open?.close();
  }
}

/** Why no decision is needed any more. */
function describeOver(reason: unknown): string {
  const end = reason instanceof PermissionRequestOverError ? reason.end : undefined;
  return end?.status === 'answered'
    ? `Decided by ${oneLine(unmistakable(end.by), 60)}: no decision is needed any more.`
    : 'Withdrawn: no decision is needed any more.';
}

/** Begin the dialogue of a question; undefined for another request. */
function questionOf(
  { kind, input }: PermissionRequest,
  who: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> | undefined {
  if (kind === 'elicitation')
    return import('./terminal-elicitation.js').then(({ askElicitation }) =>
      askElicitation(input, who, ask),
    );
  const questions = kind === 'question' ? readQuestions(input) : undefined;
  return questions === undefined ? undefined : askQuestions(questions, who, ask);
}
