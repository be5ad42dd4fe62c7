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
  refusalOf,
  type Choices,
  type TypedLine,
} from './approval/choices.js';
import { describeRequest, type ShownRequest } from './approval/describe-request.js';
import { layOut, wrapWith } from './approval/lay-out.js';
import type { Menu } from './approval/menu.js';
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
  /** @param menu the choices among the lines; a place without arrow keys passes over it */
  show(lines: readonly StyledLine[], menu?: Menu): void;
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
    const ask: AskLines = async (lines, menu) => {
      opened.show(lines, menu);
      return Promise.race([opened.nextLine(), withdrawn]);
    };
    const askLine: AskLine = async (...question) => {
      const { lines, menu } = questionLines(question, { columns: opened.columns, text });
      const typed = await ask(lines, menu);
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

type AskLines = (lines: readonly StyledLine[], menu?: Menu) => Promise<TypedLine | undefined>;

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
  const layout = (): Layout => ({ columns: place.columns, text, isUnfolded });
  let next: Shown = requestLines(shown, choices, layout());
  for (;;) {
    const typed = await ask(next.lines, next.menu);
    if (typed === undefined) return undefined;
    const reply = readReply(typed, choices);
    switch (reply.type) {
      case 'answer':
        return reply.answer;
      case 'show all':
        isUnfolded = true;
        next = requestLines(shown, choices, layout());
        break;
      case 'unclear':
        next = menuAgain(wrap('  ', reply.help), shown, choices, layout());
        break;
      case 'confirm': {
        const update = await confirm(reply, { wrap, ask });
        if (update === 'closed') return undefined;
        if (update !== undefined) return { behavior: 'allow', updatedPermissions: [update] };
        next = menuAgain(wrap('  ', 'Nothing was allowed.'), shown, choices, layout());
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
  const head = wrap('  ', title);
  const wrapped = items.map((item) => wrap('    ', item));
  const values = updates.length === 1 ? ['yes'] : updates.map((_, index) => String(index + 1));
  const menu = {
    from: head.length,
    isMany: false,
    items: wrapped.map(({ length: height }, index) => ({ value: values[index] ?? '', height })),
  };
  const typed = await ask([...head, ...wrapped.flat(), ...wrap('  ', how)], menu);
  return typed === undefined ? 'closed' : readConfirmation(typed, updates);
}

type Layout = { readonly columns: number; readonly text: TextWidth; readonly isUnfolded: boolean };

type Shown = { readonly lines: readonly StyledLine[]; readonly menu: Menu };

/** The lines of a request on a screen, with its choices. */
export function requestLines(shown: ShownRequest, choices: Choices, layout: Layout): Shown {
  const { lines, isFolded } = layOut(shown, layout);
  return withMenu(lines, menuOf(choices, { isFolded }), choices, layout);
}

/** The choices again, below the last line of the request. */
function menuAgain(
  before: readonly StyledLine[],
  shown: ShownRequest,
  choices: Choices,
  layout: Layout,
): Shown {
  const { lines, isFolded } = layOut(shown, layout);
  const head = [...before, ...lines.slice(-1)];
  return withMenu(head, menuOf(choices, { isFolded }), choices, layout);
}

/** Add choices to lines. The first word of a choice is the text that a person types for it. */
function withMenu(
  head: readonly StyledLine[],
  items: readonly string[],
  choices: Choices,
  { columns, text }: Layout,
): Shown {
  const wrapped = items.map((item) =>
    wrapWith('  ', item, { columns, text }, '  ').map((one) => ({ text: one })),
  );
  const refusal = refusalOf(choices);
  const menu = items.map((item, index) => {
    const [value = ''] = item.split(' ');
    return { value, height: wrapped[index]?.length ?? 0, takesText: value === refusal };
  });
  return {
    lines: [...head, ...wrapped.flat()],
    menu: { from: head.length, items: menu, isMany: false },
  };
}

/** A question with its numbered choices, if it has some. */
function questionLines(
  [shown, choices]: Parameters<AskLine>,
  layout: { readonly columns: number; readonly text: TextWidth },
): { readonly lines: readonly StyledLine[]; readonly menu?: Menu } {
  const linesOf = (text: string): readonly StyledLine[] =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .flatMap((line) => wrapIndented(line, layout));
  const before = linesOf(shown);
  if (choices === undefined) return { lines: before };
  const wrapped = choices.items.map(({ value, text }) => linesOf(`    ${value} ${text}`));
  const items = choices.items.map(({ value, isAlone = false }, index) => ({
    value,
    isAlone,
    height: wrapped[index]?.length ?? 0,
  }));
  return {
    lines: [...before, ...wrapped.flat(), ...linesOf(`  ${choices.how}`)],
    menu: { from: before.length, items, isMany: choices.isMany },
  };
}

function wrapIndented(
  line: string,
  layout: { readonly columns: number; readonly text: TextWidth },
): readonly StyledLine[] {
  const [prefix = ''] = /^ */.exec(line) ?? [];
  const hanging = prefix === '' ? '  ' : '';
  return wrapWith(prefix, line.slice(prefix.length), layout, hanging).map((text) => ({ text }));
}
