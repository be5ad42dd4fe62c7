import { diffLines } from 'diff';
import { inputSubject } from '../cli/summaries/tool-subject.js';
import { unmistakable } from '../core/text/printable.js';
import type { CallView } from '../view/agent-view.js';
import type { DecisionView } from '../view/decision-view.js';
import { Folded } from './folded.js';
import { FoldedLines, type StyledText } from './folded-lines.js';
import { Markdown } from './markdown.js';
import { openTask } from './state.js';
import { age } from './words.js';

/** The task of an agent that a call has started. */
export type StartedTask = { readonly id: string; readonly name: string };

/** A tool call with its decision and its result, in the way of its tool. */
export function Call({
  call,
  cwd,
  decision,
  started,
  hasEnded,
  tookMs,
}: {
  readonly call: CallView;
  /** The folder of the agent. */
  readonly cwd: string;
  readonly decision: DecisionView | undefined;
  readonly started: StartedTask | undefined;
  /** Whether the agent has ended. */
  readonly hasEnded: boolean;
  readonly tookMs: number;
}) {
  const { tool, input } = call;
  const state = stateOf(call, { decision, hasEnded });
  const by = decidedBy(decision);
  return (
    <>
      <div class="call-head">
        <b>
          <bdi>{unmistakable(tool)}</bdi>
        </b>
        <span class="subject">{unmistakable(callSubject(input, cwd))}</span>
        <span class={`state ${state.replaceAll(' ', '-')}`}>{state}</span>
        {tookMs < 1_000 ? null : <small>{age(tookMs)}</small>}
      </div>
      <Body call={call} />
      {by === '' ? null : <p class="facts">{unmistakable(by)}</p>}
      {started === undefined ? null : (
        <button type="button" class="link" onClick={() => openTask(started.id)}>
          Open {unmistakable(started.name)}
        </button>
      )}
    </>
  );
}

function stateOf(
  { result }: CallView,
  {
    decision,
    hasEnded,
  }: { readonly decision: DecisionView | undefined; readonly hasEnded: boolean },
): string {
  if (result === undefined && hasEnded) return 'no result';
  if (result === undefined) return decision?.behavior === 'ask' ? 'needs you' : 'runs';
  return decision?.behavior === 'deny' ? 'denied' : result.isError ? 'failed' : 'done';
}

function decidedBy(decision: DecisionView | undefined): string {
  if (decision?.by === undefined) return '';
  return `${decision.behavior === 'allow' ? 'Allowed' : 'Denied'} by ${decision.by}`;
}

/** The first line of what a call is about; files of the folder without its path. */
export function callSubject(input: unknown, cwd: string): string {
  const [first = ''] = inputSubject(input).trim().split('\n');
  const shown = first.slice(0, 300);
  if (cwd === '') return shown;
  return shown === cwd ? '.' : shown.replaceAll(`${cwd}/`, '');
}

type Input = Readonly<Record<string, unknown>>;

function Body({ call: { tool, input, result } }: { readonly call: CallView }) {
  const fields = Object(input) as Input; // of a model: any value
  const output = result === undefined || result.text === '' ? null : <Folded text={result.text} />;
  const folded = result === undefined ? null : <Folded text={result.text} head="Result," />;
  const failed = result?.isError === true ? output : null;
  switch (tool) {
    case 'Bash':
    case 'PowerShell':
      return (
        <>
          <CommandLine line={textOf(fields['command'])} />
          {output}
        </>
      );
    case 'Edit':
    case 'MultiEdit':
      return (
        <>
          <Diff edits={editsOf(fields)} />
          {failed}
        </>
      );
    case 'Write':
      return (
        <>
          <Diff edits={[['', textOf(fields['content'])]]} />
          {failed}
        </>
      );
    case 'TodoWrite':
      return failed; // the list is in the view of to-do lists
    case 'ExitPlanMode':
      return (
        <>
          <Markdown text={textOf(fields['plan'])} />
          {failed}
        </>
      );
    case 'AskUserQuestion':
      return output;
    case 'Agent':
    case 'Task':
      return (
        <>
          {fields['prompt'] === fields['description'] ? null : (
            <Folded text={textOf(fields['prompt'])} />
          )}
          {folded}
        </>
      );
    default: {
      const isWhole = textOf(input).length <= 80;
      return (
        <>
          {isWhole ? null : <Folded text={textOf(input)} head="Input," />}
          {failed ?? folded}
        </>
      );
    }
  }
}

/** A command that its first line does not show whole. */
function CommandLine({ line }: { readonly line: string }) {
  return line.trim().includes('\n') || line.length > 100 ? <Folded text={line} /> : null;
}

type Edit = readonly [before: string, after: string];

function editsOf({ old_string: before, new_string: after, edits }: Input): readonly Edit[] {
  if (!Array.isArray(edits)) return [[textOf(before), textOf(after)]];
  return edits.map((edit: unknown) => {
    const { old_string: old, new_string: next } = Object(edit) as Input;
    return [textOf(old), textOf(next)];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** Longer searches for the smallest difference are given up. */
const TIMEOUT_MS = 50;

function Diff({ edits }: { readonly edits: readonly Edit[] }) {
  const lines = edits.flatMap(([before, after]) => linesOf(before, after));
  return <FoldedLines lines={lines} first={40} />;
}

const CLASSES = { '+': 'added', '-': 'removed', ' ': '' } as const;

function linesOf(before: string, after: string): readonly StyledText[] {
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    const lines = value === '' ? [] : value.replace(/\n$/, '').split('\n');
    return lines.map((text) => ({ text: `${mark} ${text}`, style: CLASSES[mark] }));
  });
}
