import { UsageError } from '../../core/errors.js';
import { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import type { Command, RuleArguments } from './command.js';
import { oneOf } from './flag-readers.js';
import type { FlagName } from './flags.js';
import { readSettings } from './parse-settings-commands.js';
import type { FlagValues } from './read-flags.js';
import { refuseOtherFlags } from './refuse-other-flags.js';
import { PERMISSION_ACTIONS, SUBCOMMANDS, usageOf } from './subcommands.js';

type Action = (typeof PERMISSION_ACTIONS)[number];

/** What each of them takes after its name: how it is called in messages. */
const OPERANDS: Readonly<Record<Action, string | undefined>> = {
  eval: 'FILE',
  list: undefined,
  explain: "'TOOL(INPUT)'",
  log: 'ID',
};

/** @throws UsageError */
export function readPermissions(flags: FlagValues): Command {
  const [, word, operand, more] = flags.words;
  const action = PERMISSION_ACTIONS.find((known) => known === word);
  if (action === undefined) {
    const what = word === undefined ? 'needs one of' : `has no "${word}", only`;
    throw new UsageError(
      `permissions ${what} ${PERMISSION_ACTIONS.join(', ')}. Usage: ${usageOf('permissions')}`,
    );
  }
  const extra = OPERANDS[action] === undefined ? operand : more;
  if (extra !== undefined)
    throw new UsageError(
      `permissions ${action} takes no "${extra}". Usage: ${usageOf('permissions')}`,
    );
  const isRuled = action === 'list' || action === 'explain';
  const known: readonly FlagName[] = isRuled ? SUBCOMMANDS.permissions.flags : ['--json'];
  refuseOtherFlags(`permissions ${action}`, flags, known);
  const isJson = flags.given.has('--json');
  switch (action) {
    case 'eval':
      return { type: 'permissions', action, file: needed(action, operand), isJson };
    case 'list':
      return { type: 'permissions', action, isJson, ...readRules(flags) };
    case 'explain':
      return {
        type: 'permissions',
        action,
        use: needed(action, operand),
        isJson,
        ...readRules(flags),
      };
    case 'log':
      if (operand === '') throw new UsageError('permissions log: the id is empty.');
      return { type: 'permissions', action, session: operand, isJson };
    default:
      return action satisfies never;
  }
}

/** The flags that say what is allowed. @throws UsageError */
export function readRules(flags: FlagValues): RuleArguments {
  return {
    permissionMode: oneOf(flags, '--permission-mode', [...CHOOSABLE_PERMISSION_MODES, 'manual']),
    allowedTools: flags.values('--allowedTools'),
    disallowedTools: flags.values('--disallowedTools'),
    skipsPermissions: flags.given.has('--dangerously-skip-permissions'),
    allowsBypass: flags.given.has('--allow-dangerously-skip-permissions'),
    ...readSettings(flags),
  };
}

function needed(action: Action, operand: string | undefined): string {
  if (operand !== undefined && operand.trim() !== '') return operand;
  throw new UsageError(`permissions ${action} needs ${OPERANDS[action]}: ${EXAMPLES[action]}`);
}

const EXAMPLES: Readonly<Record<Action, string>> = {
  eval: 'troupe permissions eval cases.jsonl',
  list: 'troupe permissions list',
  explain: "troupe permissions explain 'Bash(git push origin main)'",
  log: 'troupe permissions log',
};
