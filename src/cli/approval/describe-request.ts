/**
 * The text of a permission request for a person: every field of its input. Pure, for every kind of screen. No text of an
 * input begins at the first column, and a newline of an input never begins a line without its prefix.
 */
import type { PermissionRequest } from '../../api/types.js';
import { oneLine, unmistakable } from '../../api/text.js';
import type { Style } from '../output/output-writer.js';
import { inputSubject } from '../summaries/tool-subject.js';

/** One line before it is wrapped. Each of the wrapped lines begins with its prefix. */
export type ShownLine = {
  readonly prefix: string;
  readonly text: string;
  readonly style?: Style;
  /** A path: never broken, so that it can be copied. */
  readonly isWhole?: true;
};

/** Lines of one part; a long block is folded. */
export type ShownBlock = { readonly title?: ShownLine; readonly lines: readonly ShownLine[] };

export type ShownRequest = {
  /** The agent and the tool. The only line at the first column. */
  readonly head: string;
  readonly blocks: readonly ShownBlock[];
  /** Facts that the input does not show, one a line. No text of the input has their margin. */
  readonly details: readonly string[];
  /** The reason for the request, on one line. */
  readonly why: string;
  /** The tool and the beginning of its subject, right above the choices. */
  readonly reminder: string;
};

/** The effect of a call on a file, as lines of a diff. */
export type ShownChange = {
  /** Such as "creates the file". */
  readonly what: string;
  readonly diff: readonly ShownLine[];
  /** The fields that the diff shows. */
  readonly fields: readonly string[];
};

const INDENT = '    ';
const MARGIN = '    │ ';
/** A field that is shown without its name if it is the only one. */
const OWN_LINE: Readonly<Record<string, string>> = { Bash: 'command' };
const RISK: ShownBlock = {
  lines: [{ prefix: INDENT, text: 'Risk: its effect cannot be undone.', style: 'strong' }],
};
const MOST_SUBJECT = 200;
const MOST_REASON = 500;

export function describeRequest(
  { kind, toolName, input, description, message, isDestructive, details = {} }: PermissionRequest,
  who: string,
  change?: ShownChange,
): ShownRequest {
  const tool = brief(toolName, 80);
  const isPlan = kind === 'plan' && typeof input['plan'] === 'string';
  const ownLine = isPlan ? 'plan' : OWN_LINE[toolName];
  const names = Object.keys(input);
  const hidden = change?.fields ?? [];
  const first = names.filter((name) => name === ownLine);
  const rest = names.filter((name) => name !== ownLine && !hidden.includes(name));
  const isJson = JSON.stringify(input).startsWith(description); // a tool of an MCP server
  const said = reasonOf(message, [`${toolName}: `, ...(isJson ? [`${description}: `] : [])], input);
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
    details: Object.entries(details).map(
      ([name, text]) => `${brief(name, 80)}: ${brief(text, MOST_REASON)}`,
    ),
    why: brief(said, MOST_REASON),
    reminder: `${isPlan ? 'Plan' : tool}${subject === '' ? '' : `: ${subject}`} · ${who}`,
  };
}

function brief(text: string, width: number): string {
  return oneLine(unmistakable(text), width);
}

/** The reason for the request, without the parts that are already shown above it. */
function reasonOf(
  message: string,
  parts: readonly string[],
  input: PermissionRequest['input'],
): string {
  const own = parts.find((part) => message.startsWith(part)) ?? '';
  const rest = message.slice(own.length);
  const said = `${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`;
  const [, quoted] = /^No rule allows "([^]*)"\.$/.exec(said) ?? [];
  return quoted !== undefined && quoted === String(input['command']).trim()
    ? 'No rule allows it.'
    : said;
}

/** The first line of the subject of a call. */
function subjectOf(text: unknown): string {
  const lines = String(text).split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const more = lines.length > 1 ? ' …' : '';
  return `${brief(first, MOST_SUBJECT)}${more}`;
}

function alone(text: string): ShownBlock {
  const lines = text.split('\n');
  const prefix = lines.length > 1 ? MARGIN : INDENT;
  return { lines: lines.map((line) => ({ prefix, text: unmistakable(line) })) };
}

function field(name: string, value: unknown): ShownBlock {
  const label = brief(name, 80);
  const lines = textOf(value).split('\n');
  if (lines.length === 1)
    return { lines: [{ prefix: INDENT, text: `${label}: ${unmistakable(lines[0] ?? '')}` }] };
  return {
    title: { prefix: INDENT, text: `${label}:` },
    lines: lines.map((line) => ({ prefix: MARGIN, text: unmistakable(line) })),
  };
}

/** A text unchanged, unless it looks like another value; everything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? String(value);
  const isPlain = value.trim() === value && value !== '' && !looksLikeJson(value);
  return isPlain || value.includes('\n') ? value : JSON.stringify(value);
}

function looksLikeJson(text: string): boolean {
  return /^(?:-?\d|true$|false$|null$|["[{])/.test(text);
}
