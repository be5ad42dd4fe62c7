import { Effort } from '../../core/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import type { ThinkingConfig } from '../../model/model.js';
import { toThinking } from '../../model/to-thinking.js';
import type { PromptSource, RunArguments, RunChoices } from './command.js';
import { filled, oneOf } from './flag-readers.js';
import type { FlagName } from './flags.js';
import type { FlagValues } from './read-flags.js';

/** What a run says of its session beside the prompt. @throws UsageError */
export function readChoices(flags: FlagValues): RunChoices {
  const promptTool = promptToolOf(flags);
  return {
    thinking: thinkingOf(flags),
    systemPrompt: sourceOf(flags, '--system-prompt', '--system-prompt-file'),
    appendSystemPrompt: sourceOf(flags, '--append-system-prompt', '--append-system-prompt-file'),
    effort: oneOf(flags, '--effort', Effort.options),
    outputSchema: filled(flags, '--json-schema'),
    tools: toolsOf(flags),
    title: titleOf(flags),
    persists: !flags.given.has('--no-session-persistence'),
    includesPartial: flags.given.has('--include-partial-messages'),
    replaysPrompts: flags.given.has('--replay-user-messages'),
    asksOnStdio: promptTool === 'stdio',
    promptTool: promptTool === 'stdio' ? undefined : promptTool,
  };
}

/** What is right by itself and wrong beside something else. @throws UsageError */
export function checkChoices(run: RunArguments, flags: FlagValues): void {
  const goesOn = run.continues || run.resume !== undefined;
  if (goesOn && !run.persists)
    throw new UsageError(
      '--no-session-persistence keeps nothing of a session, so none can be gone on with: leave it out, or leave out --continue and --resume.',
    );
  const streamed = STREAM_FLAGS.find((name) => flags.given.has(name));
  if (streamed !== undefined && run.outputFormat !== 'stream-json')
    throw new UsageError(`${streamed} needs --output-format stream-json.`);
  if (run.replaysPrompts && run.inputFormat !== 'stream-json')
    throw new UsageError('--replay-user-messages needs --input-format stream-json.');
}

const STREAM_FLAGS = [
  '--include-partial-messages',
  '--replay-user-messages',
  '--forward-subagent-text',
] as const satisfies readonly FlagName[];

function sourceOf(flags: FlagValues, text: FlagName, file: FlagName): PromptSource | undefined {
  const given = flags.value(text) === '' ? '' : (filled(flags, text) ?? '');
  const path = filled(flags, file);
  if (given !== '' && path !== undefined)
    throw new UsageError(`${text} and ${file} say the same. Give one of them.`);
  if (given !== '') return { text: given }; // the Python SDK gives an empty one for none
  return path === undefined ? undefined : { file: path, flag: file };
}

function titleOf(flags: FlagValues): string | undefined {
  const title = filled(flags, '--name')?.trim();
  if (title !== undefined && /[\r\n]/.test(title))
    throw new UsageError('--name has several lines. Give one.');
  return title;
}

function thinkingOf(flags: FlagValues): ThinkingConfig | undefined {
  const mode = oneOf(flags, '--thinking', ['adaptive', 'enabled', 'disabled']);
  const given = flags.value('--max-thinking-tokens');
  if (given !== undefined && !/^\d{1,9}$/.test(given))
    throw new UsageError(`--max-thinking-tokens: "${given}" is not a whole number from 0 up.`);
  if (mode === 'disabled' || mode === 'adaptive') return { type: mode };
  if (given !== undefined) return toThinking(Number(given));
  return mode === undefined ? undefined : { type: 'adaptive' };
}

function toolsOf(flags: FlagValues): readonly string[] | undefined {
  const values = flags.values('--tools');
  if (values.length === 0) return undefined;
  const names = values.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== '');
  if (!names.includes('default')) return names;
  if (names.length === 1) return undefined;
  throw new UsageError('--tools: "default" stands for all of them. Give it alone.');
}

function promptToolOf(flags: FlagValues): string | undefined {
  const value = flags.value('--permission-prompt-tool');
  if (value === undefined || value === 'stdio' || /^mcp__.+__.+$/.test(value)) return value;
  throw new UsageError(
    `--permission-prompt-tool: there is no "${value}". Choose stdio, or a tool of an MCP server: mcp__server__tool.`,
  );
}
