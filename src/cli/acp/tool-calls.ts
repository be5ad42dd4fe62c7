import { isAbsolute, resolve } from 'node:path';
import type { Diff, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { oneLine, unmistakable } from '../../api/text.js';
import type { ToolResultBlock, ToolView } from '../../api/types.js';
import { inputSubject } from '../summaries/tool-subject.js';

const MOST_TITLE = 160;
const MOST_TEXT = 100_000;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  ReadMcpResource: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'edit',
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  Monitor: 'execute',
  Glob: 'search',
  Grep: 'search',
  LSP: 'search',
  ToolSearch: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Agent: 'think',
  Task: 'think',
  TodoWrite: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

/** A tool call as a client shows it. */
export type ShownCall = {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly content: ToolCallContent[];
  readonly locations: ToolCallLocation[];
};

type Input = Readonly<Record<string, unknown>>;

/** @param speaker the sub-agent that makes the call; undefined for the main agent */
export function describeCall(
  { name, input }: { readonly name: string; readonly input: unknown },
  { cwd, speaker }: { readonly cwd: string; readonly speaker?: string | undefined },
): ShownCall {
  const given = Object(input) as Input;
  const kind = KINDS[name] ?? 'other';
  const who = speaker === undefined ? '' : `[${oneLine(unmistakable(speaker), 40)}] `;
  return {
    title: `${who}${titleOf(name, kind, given)}`,
    name,
    kind,
    content: contentOf(name, given, cwd),
    locations: locationsOf(name, given, cwd),
  };
}

function titleOf(name: string, kind: ToolKind, input: Input): string {
  const subject = oneLine(unmistakable(inputSubject(input)), MOST_TITLE);
  if (kind === 'execute' && typeof input['command'] === 'string') return subject;
  const tool = oneLine(unmistakable(name), 80);
  return subject === '' || subject === '{}' ? tool : `${tool} ${inlineCode(subject)}`;
}

/** The content of a call before its result. */
function contentOf(name: string, input: Input, cwd: string): ToolCallContent[] {
  const { command, plan, old_string: before, new_string: after } = input;
  if (name === 'Edit' && typeof before === 'string' && typeof after === 'string')
    return [toDiff(pathIn(input, cwd) ?? '', before === '' ? null : before, after)];
  if (typeof command === 'string') return [textContent(codeBlock(command))];
  if (name === 'ExitPlanMode' && typeof plan === 'string') return [textContent(plan)];
  return [];
}

/** The result of a call: what a person sees of it, or the text that the model reads. */
export function resultContent(
  block: ToolResultBlock,
  view: ToolView | undefined,
): ToolCallContent[] {
  if (view?.kind === 'diff' && view.files.every(({ hunks }) => hunks.length > 0))
    return view.files.flatMap(({ path, isNew, hunks }) =>
      hunks.map(({ lines }) => toDiff(path, isNew ? null : sideOf(lines, '-'), sideOf(lines, '+'))),
    );
  if (view?.kind === 'command') return [textContent(codeBlock(view.output, 'console'))];
  const parts = typeof block.content === 'string' ? [block.content] : block.content;
  return parts.map((part) => {
    if (typeof part === 'string') return textContent(codeBlock(part));
    if (part.type === 'text') return textContent(codeBlock(part.text));
    if (part.type === 'tool_reference') return textContent(part.tool_name);
    const { data, media_type: mimeType } = part.source;
    return { type: 'content', content: { type: 'image', data, mimeType } };
  });
}

/** One side of a hunk: the lines that stay, and those with the mark. */
function sideOf(lines: readonly string[], mark: '-' | '+'): string {
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}

/** @param oldText null for a new file */
export function toDiff(path: string, oldText: string | null, newText: string): ToolCallContent {
  const diff: Diff = { path, oldText, newText };
  return { type: 'diff', ...diff };
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Text as a block of code that no line of the text can end. */
export function codeBlock(text: string, language = ''): string {
  const shown = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\n…` : text;
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function locationsOf(name: string, input: Input, cwd: string): ToolCallLocation[] {
  const line = name === 'Read' && typeof input['offset'] === 'number' ? input['offset'] : undefined;
  const own = pathIn(input, cwd);
  const edits = Array.isArray(input['edits']) ? (input['edits'] as unknown[]) : [];
  const others = edits.flatMap((edit) => pathIn(Object(edit) as Input, cwd) ?? []);
  const paths = [...new Set([...(own === undefined ? [] : [own]), ...others])];
  return paths.map((path) => (line === undefined ? { path } : { path, line }));
}

function pathIn(input: Input, cwd: string): string | undefined {
  const path = [input['file_path'], input['notebook_path'], input['path']].find(
    (one) => typeof one === 'string' && one !== '',
  );
  if (typeof path !== 'string') return undefined;
  return isAbsolute(path) ? path : resolve(cwd, path);
}
