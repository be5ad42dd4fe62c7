/**
 * What a person is shown of a permission request: every field of its input. Pure, for every kind of screen. Nothing of an
 * input stands at the first column, and newlines of an input never begin a line without its prefix.
 */
import type { PermissionRequest } from '../../api/types.js';
import { oneLine, unmistakable } from '../../api/text.js';
import type { Style } from '../output-writer.js';
import { inputSubject } from '../tool-subject.js';

/** One line before it is wrapped; its prefix stands in front of each line that it is wrapped into. */
export type ShownLine = {
  readonly prefix: string;
  readonly text: string;
  readonly style?: Style;
  /** A path: never broken, so that it can be copied. */
  readonly isWhole?: true;
};

/** Lines that belong together; a long block is folded. */
export type ShownBlock = { readonly title?: ShownLine; readonly lines: readonly ShownLine[] };

export type ShownRequest = {
  /** Who asks for what. The only line at the first column. */
  readonly head: string;
  readonly blocks: readonly ShownBlock[];
  /** Why approval is needed, on one line. */
  readonly why: string;
  /** The tool and the beginning of what it is used on: stands right above the choices. */
  readonly reminder: string;
};

/** What a call would do to a file, as lines of a diff. */
export type ShownChange = {
  /** Such as "creates the file". */
  readonly what: string;
  readonly diff: readonly ShownLine[];
  /** The fields that the diff shows. */
  readonly fields: readonly string[];
};

const INDENT = '    ';
const MARGIN = '    │ ';
/** A field that stands alone where its name would say nothing new. */
const OWN_LINE: Readonly<Record<string, string>> = { Bash: 'command' };
const RISK: ShownBlock = {
  lines: [{ prefix: INDENT, text: 'Risk: what it does cannot be undone.', style: 'strong' }],
};
const MOST_SUBJECT = 200;
const MOST_REASON = 500;

export function describeRequest(
  { kind, toolName, input, message, isDestructive }: PermissionRequest,
  who: string,
  change?: ShownChange,
): ShownRequest {
  const tool = oneLine(unmistakable(toolName), 80);
  const isPlan = kind === 'plan' && typeof input['plan'] === 'string';
  const ownLine = isPlan ? 'plan' : OWN_LINE[toolName];
  const names = Object.keys(input);
  const hidden = change?.fields ?? [];
  const first = names.filter((name) => name === ownLine);
  const rest = names.filter((name) => name !== ownLine && !hidden.includes(name));
  const said = reasonOf(message, toolName, input);
  const subject = subjectOf(isPlan ? input['plan'] : inputSubject(input));
  return {
    head: isPlan ? `${who} has a plan:` : `${who} asks to use ${tool}:`,
    blocks: [
      ...first.map((name) => alone(textOf(input[name]))),
      ...rest.map((name) => field(name, input[name])),
      ...(names.length === 0 ? [{ lines: [{ prefix: INDENT, text: '(no input)' }] }] : []),
      ...(change === undefined
        ? []
        : [
            {
              title: { prefix: INDENT, text: change.what, style: 'strong' as const },
              lines: change.diff,
            },
          ]),
      ...(isDestructive === true ? [RISK] : []),
    ],
    why: oneLine(unmistakable(said), MOST_REASON),
    reminder: `${isPlan ? 'Plan' : tool}${subject === '' ? '' : `: ${subject}`} · ${who}`,
  };
}

/** Why approval is needed, without what stands above it already. */
function reasonOf(message: string, toolName: string, input: PermissionRequest['input']): string {
  const own = `${toolName}: `;
  const said = message.startsWith(own) ? message.slice(own.length) : message;
  const [, quoted] = /^No rule allows "([^]*)"\.$/.exec(said) ?? [];
  return quoted !== undefined && quoted === String(input['command']).trim()
    ? 'No rule allows it.'
    : said;
}

/** The first line of what a call is about. */
function subjectOf(text: unknown): string {
  const lines = String(text).split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const more = lines.length > 1 ? ' …' : '';
  return `${oneLine(unmistakable(first), MOST_SUBJECT)}${more}`;
}

function alone(text: string): ShownBlock {
  const lines = text.split('\n');
  const prefix = lines.length > 1 ? MARGIN : INDENT;
  return { lines: lines.map((line) => ({ prefix, text: unmistakable(line) })) };
}

function field(name: string, value: unknown): ShownBlock {
  const label = oneLine(unmistakable(name), 80);
  const lines = textOf(value).split('\n');
  if (lines.length === 1)
    return { lines: [{ prefix: INDENT, text: `${label}: ${unmistakable(lines[0] ?? '')}` }] };
  return {
    title: { prefix: INDENT, text: `${label}:` },
    lines: lines.map((line) => ({ prefix: MARGIN, text: unmistakable(line) })),
  };
}

/** A text as it is, unless it could be taken for another value; everything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? String(value);
  const isPlain = value.trim() === value && value !== '' && !isJson(value);
  return isPlain || value.includes('\n') ? value : JSON.stringify(value);
}

function isJson(text: string): boolean {
  return /^(?:-?\d|true$|false$|null$|["[{])/.test(text);
}
