import { setTimeout as delay } from 'node:timers/promises';
import type {
  AskHandler,
  PermissionAnswer,
  PermissionRequest,
  PermissionUpdate,
} from '../api/types.js';
import { PermissionRequestOverError } from '../api/errors.js';
import { oneLine, unmistakable } from '../api/text.js';
import {
  choicesOf,
  confirmationOf,
  menuOf,
  readConfirmation,
  readReply,
  type Choices,
  type TypedLine,
} from './approval/choices.js';
import { describeRequest, type ShownRequest } from './approval/describe-request.js';
import { layOut, wrapWith } from './approval/lay-out.js';
import { whoAsks } from './approval/who-asks.js';
import type { StyledLine } from './output-writer.js';
import { askQuestions, readQuestions, type AskLine } from './terminal-questions.js';
import { loadTextWidth, type TextWidth } from './text-width.js';

/** A place where permission requests are shown and answered, line by line. One is open at a time. */
export interface AskPlace {
  /**
   * Resolve when nobody is typing: no earlier key decides the request that is shown then.
   *
   * @param announcement shown at once if somebody is typing
   * @throws the signal's reason if the request is withdrawn meanwhile
   */
  open(announcement: string, signal: AbortSignal): Promise<OpenPlace>;
}

export interface OpenPlace {
  /** Columns that a line may take. */
  readonly columns: number;
  show(lines: readonly StyledLine[]): void;
  /** Resolve with the next line; undefined if the terminal is closed. Earlier lines are discarded. */
  nextLine(): Promise<TypedLine | undefined>;
  close(): void;
}

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
    const ask = async (lines: readonly StyledLine[]): Promise<TypedLine | undefined> => {
      opened.show(lines);
      return Promise.race([opened.nextLine(), withdrawn]);
    };
    const askLine: AskLine = async (shown) => {
      const lines = shown.replace(/\n$/, '').split('\n');
      const typed = await ask(
        lines.flatMap((line) => wrapIndented(line, { columns: opened.columns, text })),
      );
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

type AskLines = (lines: readonly StyledLine[]) => Promise<TypedLine | undefined>;

/** Ask until there is a decision; undefined if the terminal is closed. */
async function askForPermission(
  request: PermissionRequest,
  {
    who,
    folderFile,
    signal,
    text,
    place,
    ask,
  }: Asking & {
    readonly signal: AbortSignal;
    readonly text: TextWidth;
    readonly place: OpenPlace;
    readonly ask: AskLines;
  },
): Promise<PermissionAnswer | undefined> {
  const { readChange } = await import('./approval/read-change.js'); // it needs the tools, which are loaded by now
  const shown = describeRequest(request, who, await readChange(request, signal));
  const choices = choicesOf(request, folderFile);
  const wrap = (prefix: string, line: string): readonly StyledLine[] =>
    wrapWith(prefix, line, { columns: place.columns, text }).map((one) => ({ text: one }));
  let isUnfolded = false;
  let lines = requestLines(shown, choices, { columns: place.columns, text, isUnfolded });
  for (;;) {
    const typed = await ask(lines);
    if (typed === undefined) return undefined;
    const reply = readReply(typed, choices);
    switch (reply.type) {
      case 'answer':
        return reply.answer;
      case 'show all':
        isUnfolded = true;
        lines = requestLines(shown, choices, { columns: place.columns, text, isUnfolded });
        break;
      case 'unclear':
        lines = wrap('  ', reply.help);
        break;
      case 'confirm': {
        const update = await confirm(reply, { wrap, ask });
        if (update === 'closed') return undefined;
        if (update !== undefined) return { behavior: 'allow', updatedPermissions: [update] };
        lines = [
          ...wrap('  ', 'Nothing was allowed.'),
          ...menuLines(shown, choices, { columns: place.columns, text, isUnfolded }),
        ];
        break;
      }
      default:
        return reply satisfies never;
    }
  }
}

async function confirm(
  { updates, scope }: { readonly updates: readonly PermissionUpdate[]; readonly scope: string },
  {
    wrap,
    ask,
  }: {
    readonly wrap: (prefix: string, line: string) => readonly StyledLine[];
    readonly ask: AskLines;
  },
): Promise<PermissionUpdate | 'closed' | undefined> {
  const { title, items, how } = confirmationOf(updates, scope);
  const typed = await ask([
    ...wrap('  ', title),
    ...items.flatMap((item) => wrap('    ', item)),
    ...wrap('  ', how),
  ]);
  return typed === undefined ? 'closed' : readConfirmation(typed, updates);
}

type Layout = { readonly columns: number; readonly text: TextWidth; readonly isUnfolded: boolean };

/** The lines of a request on a screen, with its choices. */
export function requestLines(
  shown: ShownRequest,
  choices: Choices,
  layout: Layout,
): readonly StyledLine[] {
  const { lines, isFolded } = layOut(shown, layout);
  return [...lines, ...menuOf(choices, { isFolded }).flatMap((line) => wrapChoice(line, layout))];
}

/** The choices again, below the last line of the request. */
function menuLines(shown: ShownRequest, choices: Choices, layout: Layout): readonly StyledLine[] {
  const { lines, isFolded } = layOut(shown, layout);
  const menu = menuOf(choices, { isFolded });
  return [...lines.slice(-1), ...menu.flatMap((line) => wrapChoice(line, layout))];
}

function wrapChoice(line: string, { columns, text }: Layout): readonly StyledLine[] {
  return wrapWith('  ', line, { columns, text }, '  ').map((one) => ({ text: one }));
}

function wrapIndented(
  line: string,
  layout: { readonly columns: number; readonly text: TextWidth },
): readonly StyledLine[] {
  const [prefix = ''] = /^ */.exec(line) ?? [];
  return wrapWith(prefix, line.slice(prefix.length), layout).map((text) => ({ text }));
}
