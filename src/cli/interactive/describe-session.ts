import { oneLine, printableLine } from '../../api/text.js';
import { rulesBySource } from '../../api/permissions.js';
import { SOURCE_LABELS } from '../../api/settings.js';
import type {
  AgentDefinition,
  OrchestratorOptions,
  PermissionBehavior,
  SessionHandle,
} from '../../api/types.js';
import { describeInstructions } from './describe-instructions.js';
import { describeCost } from './status-lines.js';

/** A session, and the options that it was made with. */
export type DescribedSession = {
  readonly session: Pick<
    SessionHandle,
    'contextUsage' | 'mcpServers' | 'permissions' | 'skills' | 'usage'
  >;
  readonly options: Pick<OrchestratorOptions, 'context' | 'hooks' | 'plugins'>;
  readonly definitions: readonly AgentDefinition[];
};

/** The commands that only describe the session, with or without a terminal. */
export const DESCRIBING_COMMANDS = {
  agents: ({ definitions }) =>
    definitions.map(({ name, model = 'inherit', description }) => row(name, model, description)),
  context: ({ session }) => describeContext(session.contextUsage()),
  cost: ({ session }) => [describeCost(session.usage())],
  hooks: ({ options: { hooks = {} } }) => describeHooks(hooks),
  mcp: ({ session }) =>
    session.mcpServers().map(({ name, status, problem = '' }) => row(name, status, problem)),
  memory: ({ options: { context } }) => [describeInstructions(context)],
  permissions: ({ session }) => describePermissions(session.permissions()),
  plugins: ({ options: { plugins } }) => [
    ...(plugins?.loaded ?? []).map(({ id, path }) => row(id, path)),
    ...(plugins?.errors ?? []).map(({ plugin, message }) => row(plugin, 'left out', message)),
  ],
  skills: ({ session }) =>
    (session.skills() ?? []).map(({ name, description, userInvocable }) =>
      row(userInvocable ? `/${name}` : name, description),
    ),
} as const satisfies Readonly<Record<string, (all: DescribedSession) => readonly string[]>>;

export type DescribingCommand = keyof typeof DESCRIBING_COMMANDS;

/** The text of a command that describes the session. */
export function describeSession(name: DescribingCommand, all: DescribedSession): string {
  const lines = DESCRIBING_COMMANDS[name](all);
  return lines.length === 0 ? NOTHING[name as keyof typeof NOTHING] : lines.join('\n'); // the others have a line
}

const NOTHING = {
  hooks: 'There are no hooks.',
  mcp: 'There are no MCP servers.',
  plugins: 'There are no plugins.',
  skills: 'There are no skills.',
} as const satisfies Partial<Record<DescribingCommand, string>>;

const MOST_CHARS = 200;

/** One line of parts. */
function row(...parts: readonly string[]): string {
  return oneLine(printableLine(parts.filter((part) => part !== '').join(' · ')), MOST_CHARS);
}

function describeContext({
  model,
  tokens,
  contextWindow,
}: ReturnType<SessionHandle['contextUsage']>): readonly string[] {
  const percent = Math.round((tokens / contextWindow) * 1_000) / 10;
  return [`${tokens} of ${contextWindow} tokens (${percent} %) of ${model}`];
}

function describeHooks(hooks: NonNullable<OrchestratorOptions['hooks']>): readonly string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map(({ matcher = '*', hooks: own, source = 'the program' }) => {
      const kinds = own.map((hook) =>
        typeof hook === 'function' ? 'function' : 'command' in hook ? hook.command : hook.type,
      );
      return row(event, matcher, kinds.join(', '), source);
    }),
  );
}

const BEHAVIORS = ['deny', 'ask', 'allow'] as const satisfies readonly PermissionBehavior[];

function describePermissions(context: ReturnType<SessionHandle['permissions']>): readonly string[] {
  const rules = BEHAVIORS.flatMap((behavior) =>
    Object.entries(rulesBySource(context, behavior)).flatMap(([source, texts = []]) =>
      texts.map((text) => row(behavior, text, SOURCE_LABELS[source as keyof typeof SOURCE_LABELS])),
    ),
  );
  const folders = Object.keys(context.additionalWorkingDirectories).map((path) =>
    row('folder', path),
  );
  return [row('mode', context.mode), ...rules, ...folders];
}
