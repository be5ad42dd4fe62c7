import { nearestName } from '../../core/text/nearest-name.js';
import { PUBLISHED_TOOLS } from '../../permissions/rules/rule-problems.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { matchesToolName } from '../../permissions/rules/tool-name.js';
import { nearField } from './find-near-keys.js';
import { factsOfEvent, isHookEvent, type HookEvent } from '../schema/hook-events.js';
import {
  AgentHook,
  CommandHook,
  HttpHook,
  isListOfNames,
  McpToolHook,
  namesIn,
  PromptHook,
  type HookSettingsGroup,
} from '../schema/hooks-settings.js';

type Group = HookSettingsGroup;

/** Settings from a file, or from `--settings`. */
type HookLayer = {
  readonly settings: {
    readonly hooks?: Readonly<Record<string, readonly Group[]>> | undefined;
  };
  readonly file?: string;
};

/**
 * Describe each hook that never runs, or lacks a field, because of a wrong name, in one line: nobody would notice that a
 * call is not denied.
 *
 * @param layers settings whose hooks run
 */
export async function describeHookMistakes(
  layers: readonly HookLayer[],
): Promise<readonly string[]> {
  const { getAllBaseTools } = await import('../../tools/pool/base-tools.js'); // a run has loaded them
  const tools = getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const lines = layers.flatMap(({ settings: { hooks = {} }, file = '--settings' }) =>
    Object.entries(hooks)
      .flatMap(([event, groups]) =>
        isHookEvent(event)
          ? groups.flatMap((group, index) => [
              ...wrongFields(group, `hooks.${event}.${index}`),
              ...wrongMatcher(group, event, tools),
              ...wrongRules(group, event, tools),
            ])
          : [],
      )
      .map((problem) => `${file}: ${problem}`),
  );
  return [...new Set(lines)];
}

const GROUP_FIELDS = ['matcher', 'hooks', 'onFailure'] as const;

/** Fields of a group, and of its hooks, that are almost a known one. */
function wrongFields(group: Group, path: string): readonly string[] {
  const hookFields = [
    'statusMessage',
    ...[CommandHook, HttpHook, PromptHook, AgentHook, McpToolHook].flatMap((kind) =>
      Object.keys(kind.unwrap().shape),
    ),
  ];
  const among = (fields: object, known: readonly string[], place: string): readonly string[] =>
    Object.keys(fields).flatMap((field) => {
      const meant = nearField(field, known);
      if (known.includes(field) || meant === undefined) return [];
      return `"${place}.${field}" is not known and has no effect. Did you mean "${meant}"?`;
    });
  return [
    ...among(group, GROUP_FIELDS, path),
    ...group.hooks.flatMap((hook, index) => among(hook, hookFields, `${path}.hooks.${index}`)),
  ];
}

/** The values of a field that some matchers are compared with: others never come. */
const VALUES: { readonly [Event in HookEvent]?: readonly string[] } = {
  SessionStart: ['startup', 'resume', 'fork', 'compact'],
  SessionEnd: ['other'],
  PreCompact: ['manual', 'auto'],
  PostCompact: ['manual', 'auto'],
  Notification: ['permission_prompt', 'elicitation_dialog', 'idle_prompt'],
  Setup: ['init', 'maintenance'],
};

function wrongMatcher(
  { matcher = '' }: Group,
  event: HookEvent,
  tools: readonly string[],
): readonly string[] {
  if (!isListOfNames(matcher)) return [];
  const names = namesIn(matcher).filter((name) => name !== '');
  const about = `the matcher "${matcher}" (${event})`;
  const values = VALUES[event];
  if (values !== undefined && !names.some((name) => values.includes(name)))
    return [`${about} never matches. Values: ${values.join(', ')}.`];
  if (factsOfEvent(event).matches !== 'tool_name') return [];
  return names.flatMap((name) => {
    const problem = wrongTool(name, tools);
    return problem === undefined ? [] : [`${about}: ${problem}`];
  });
}

function wrongRules(
  { hooks }: Group,
  event: HookEvent,
  tools: readonly string[],
): readonly string[] {
  if (factsOfEvent(event).matches !== 'tool_name') return []; // described with the hooks
  return hooks.flatMap(({ if: rule = '' }) => {
    const parsed = parseRule(rule);
    const problem = parsed.ok ? nearTool(parsed.value.toolName, tools) : undefined;
    return problem === undefined
      ? []
      : [`a hook with "if": "${rule}" (${event}) never runs: ${problem}`];
  });
}

/** Why a name in a matcher matches no tool. Tools of servers, and of later versions, are not known here. */
function wrongTool(name: string, tools: readonly string[]): string | undefined {
  const [first, server, tool] = name.split('__');
  if (first === 'mcp' && server !== undefined && tool === undefined)
    return `"${name}" is no tool. For all tools of the server, write "${name}__.*".`;
  return nearTool(name, tools);
}

function nearTool(name: string, tools: readonly string[]): string | undefined {
  if (PUBLISHED_TOOLS.has(name) || tools.some((tool) => matchesToolName(name, tool, 'deny')))
    return undefined;
  const meant = nearestName(name, tools, 1);
  return meant && `there is no tool "${name}". Did you mean ${meant}?`;
}
