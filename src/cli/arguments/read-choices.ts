import { UsageError } from '../../api/errors.js';
import type { ThinkingConfig } from '../../api/types.js';
import { toThinking } from '../../api/models/thinking.js';
import type { PromptSource, RunArguments, RunChoices } from './run-arguments.js';
import { countOf, filled, oneOf } from './flag-readers.js';
import type { FlagName } from './flags.js';
import type { CommandLine } from './command-line.js';

/** Read the choices of a run for its session beside the prompt. @throws UsageError */
export function readChoices(line: CommandLine): RunChoices {
  const promptTool = promptToolOf(line);
  return {
    thinking: thinkingOf(line),
    systemPrompt: sourceOf(line, '--system-prompt', '--system-prompt-file'),
    appendSystemPrompt: sourceOf(line, '--append-system-prompt', '--append-system-prompt-file'),
    effort: oneOf(line, '--effort'),
    outputSchema: filled(line, '--json-schema'),
    tools: toolsOf(line),
    persists: !line.given.has('--no-session-persistence'),
    replaysPrompts: line.given.has('--replay-user-messages'),
    asksOnStdio: promptTool === 'stdio',
    promptTool: promptTool === 'stdio' ? undefined : promptTool,
    waitsForApproval: line.given.has('--wait-for-approval'),
  };
}

/** Refuse flags that do not go together. @throws UsageError */
export function checkChoices(run: RunArguments, line: CommandLine): void {
  const resumes = run.continues || run.resume !== undefined;
  if (resumes && !run.persists)
    throw new UsageError(
      '--no-session-persistence deletes the session, so it cannot resume one: remove it, or remove --continue and --resume.',
    );
  if (run.waitsForApproval && !run.persists)
    throw new UsageError(
      'With --no-session-persistence no other command reaches the run: remove it, or remove --wait-for-approval.',
    );
  const streamed = STREAM_FLAGS.find((name) => line.given.has(name));
  if (streamed !== undefined && run.outputFormat !== 'stream-json')
    throw new UsageError(`${streamed} needs --output-format stream-json.`);
  if (run.replaysPrompts && run.inputFormat !== 'stream-json')
    throw new UsageError('--replay-user-messages needs --input-format stream-json.');
}

const STREAM_FLAGS = [
  '--include-partial-messages',
  '--include-hook-events',
  '--replay-user-messages',
  '--forward-subagent-text',
] as const satisfies readonly FlagName[];

function sourceOf(line: CommandLine, text: FlagName, file: FlagName): PromptSource | undefined {
  const given = line.value(text) === '' ? '' : (filled(line, text) ?? '');
  const path = filled(line, file);
  if (given !== '' && path !== undefined)
    throw new UsageError(`${text} and ${file} say the same. Give one of them.`);
  if (given !== '') return { text: given }; // the Python SDK gives an empty text for an absent one
  return path === undefined ? undefined : { file: path, flag: file };
}

function thinkingOf(line: CommandLine): ThinkingConfig | undefined {
  const mode = oneOf(line, '--thinking');
  const tokens = countOf(line, '--max-thinking-tokens', 0);
  if (mode === 'disabled' || mode === 'adaptive') return { type: mode };
  if (tokens !== undefined) return toThinking(tokens);
  return mode === undefined ? undefined : { type: 'adaptive' };
}

function toolsOf(line: CommandLine): readonly string[] | undefined {
  const values = line.values('--tools');
  if (values.length === 0) return undefined;
  const names = values.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== '');
  if (!names.includes('default')) return names;
  if (names.length === 1) return undefined;
  throw new UsageError('--tools: "default" stands for all of them. Give it alone.');
}

function promptToolOf(line: CommandLine): string | undefined {
  const value = line.value('--permission-prompt-tool');
  if (value === undefined || value === 'stdio' || /^mcp__.+__.+$/.test(value)) return value;
  throw new UsageError(
    `--permission-prompt-tool: there is no "${value}". Choose stdio, or a tool of an MCP server: mcp__server__tool.`,
  );
}
