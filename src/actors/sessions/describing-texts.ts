import type { Skill } from '../../core/commands/command.js';
import { describeCommand } from '../../core/commands/describe-command.js';
import { isEnabled } from '../../core/commands/find-skill.js';
import type { TaskStateBase } from '../../core/task-types.js';
import { promptTokensOf } from '../../core/tasks/usage.js';
import { oneLine, printableLine } from '../../core/text/printable.js';
import type { PermissionBehavior } from '../../core/permission-types.js';
import { rulesBySource, SOURCE_LABELS } from '../../permissions/rules/rule.js';
import type { LocalCommandName } from '../contract/local-commands.js';
import type { SessionHandle } from '../contract/handles.js';
import type { TaskUsage } from '../contract/task-usage.js';
import type { UsageTotal } from '../../usage/usage-account.js';
import type { Settings } from '../options/settings.js';
import { describeInstructions } from './describe-instructions.js';

/** The sources of the texts. */
export type DescribedSession = Pick<
  SessionHandle,
  'commands' | 'contextUsage' | 'directory' | 'mcpServers' | 'permissions' | 'tasks' | 'usage'
> & {
  /** ID of the session. */
  readonly id: string;
  readonly settings: Pick<
    Settings,
    'context' | 'cwd' | 'definitions' | 'hooks' | 'plugins' | 'skills'
  >;
};

type DescribingCommand = Exclude<LocalCommandName, 'compact' | 'dream' | 'reload-plugins'>;

const LINES: Readonly<Record<DescribingCommand, (all: DescribedSession) => readonly string[]>> = {
  agents: ({ settings: { definitions } }) =>
    definitions.map(({ name, model = 'inherit', description }) => row(name, model, description)),
  context: (session) => describeContext(session.contextUsage()),
  cost: (session) => [describeCost(session.usage())],
  help: ({ commands }) =>
    commands()
      .filter(({ isHidden }) => isHidden !== true)
      .map((command) => {
        const { name, argumentHint = '' } = command;
        return row(`/${name} ${argumentHint}`.trimEnd(), describeCommand(command));
      }),
  hooks: ({ settings: { hooks } }) => describeHooks(hooks),
  mcp: (session) =>
    session.mcpServers().map(({ name, status, problem = '' }) => row(name, status, problem)),
  memory: ({ settings: { context } }) => [describeInstructions(context)],
  model: (session) => [session.contextUsage().model],
  permissions: (session) => describePermissions(session.permissions()),
  plugins: ({ settings: { plugins } }) => [
    ...(plugins?.loaded ?? []).map(({ id, path }) => row(id, path)),
    ...(plugins?.errors ?? []).map(({ plugin, message }) => row(plugin, 'left out', message)),
  ],
  skills: ({ settings: { skills = [] } }) =>
    skills.map((skill) => {
      const { name, userInvocable } = skill;
      return row(userInvocable ? `/${name}` : name, describeSource(skill), describeCommand(skill));
    }),
  status: (session) => {
    const { id, settings, directory, tasks, contextUsage, permissions } = session;
    const running = tasks().filter(isRunning).length;
    return [
      `Session ${id}`,
      `Its folder: ${settings.cwd}`,
      `Its model: ${contextUsage().model}, in the mode ${permissions().mode}`,
      `Its tasks that run: ${running}`,
      `Its journal: ${directory}`,
    ];
  },
  tasks: ({ tasks }) => describeTasks(tasks()),
};

/** The end of a consolidation of notes. */
export function describeDream({
  memoryPath,
  error = '',
}: Awaited<ReturnType<SessionHandle['dream']>>): string {
  return memoryPath === undefined
    ? `No notes were consolidated: ${error}.`
    : `The notes are consolidated: ${memoryPath}`;
}

const SOURCES: Readonly<Record<Skill['source'], string>> = {
  userSettings: 'yours',
  projectSettings: 'project',
  policySettings: 'administrator',
  plugin: 'plugin',
  builtin: 'built in',
  bundled: 'program',
};

/** The owner of a skill, and who may use it. */
function describeSource(skill: Skill): string {
  const { source, folder, disableModelInvocation, userInvocable } = skill;
  const users = [
    ...(disableModelInvocation ? ['only people'] : []),
    ...(userInvocable ? [] : ['only the model']),
  ];
  return [
    folder === undefined ? SOURCES[source] : `${SOURCES[source]}, ${folder}`,
    ...(isEnabled(skill) ? users : ['switched off']),
  ].join(', ');
}

/** The text of a command that describes the session. */
export function describingText(name: DescribingCommand, session: DescribedSession): string {
  const lines = LINES[name](session);
  return lines.length === 0 ? NOTHING[name as keyof typeof NOTHING] : lines.join('\n'); // the others have a line
}

const NOTHING = {
  tasks: 'There are no tasks.',
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

function describeHooks(hooks: Settings['hooks']): readonly string[] {
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

/** The usage of a session, by model. */
function describeCost({ total, byModel }: TaskUsage): string {
  if (total.calls === 0) return 'There was no request yet.';
  const models = [...byModel].map(([model, used]) => `  ${model}: ${describeTotal(used)}`);
  return [describeTotal(total), ...(models.length > 1 ? models : [])].join('\n');
}

function describeTotal({ usage, costUsd, calls }: UsageTotal): string {
  return [
    costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`,
    `${calls} ${calls === 1 ? 'request' : 'requests'}`,
    `${promptTokensOf(usage)} tokens in, ${usage.output_tokens} out`,
  ].join(' · ');
}

/** One line for each task of a session. */
export function describeTasks(tasks: readonly TaskStateBase[]): readonly string[] {
  return tasks
    .filter(({ type }) => type !== 'session')
    .map(({ id, status, type, description, isBackgrounded }) =>
      [
        id,
        status.padEnd(9),
        isBackgrounded === true ? 'background' : 'foreground',
        type,
        oneLine(description, 80),
      ].join('  '),
    );
}

function isRunning({ status, type }: TaskStateBase): boolean {
  return type !== 'session' && (status === 'running' || status === 'pending');
}
