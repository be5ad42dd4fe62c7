import { Effort } from '../../core/agent-definition.js';
import { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import { SETTING_SOURCES } from '../../extensions/settings/settings-files.js';
import { SANDBOX_MODES } from '../../tools/shell/sandbox/sandbox.js';
import {
  FLAGS,
  INPUT_FORMATS,
  OUTPUT_FORMATS,
  type Flag,
  type FlagName,
} from '../arguments/flags.js';
import {
  SUBCOMMAND_FLAGS,
  SUBCOMMAND_NAMES,
  SUBCOMMANDS,
  type Subcommand,
} from '../arguments/subcommands.js';

/** What a shell offers for a value: words, files, folders, or nothing. */
export type Offer = readonly string[] | 'files' | 'folders' | 'nothing';

/** The values that are known before a run. */
const OFFERS: Readonly<Partial<Record<FlagName, Offer>>> = {
  '--output-format': OUTPUT_FORMATS,
  '--input-format': INPUT_FORMATS,
  '--model': ['sonnet', 'opus', 'haiku'],
  '--fallback-model': ['sonnet', 'opus', 'haiku'],
  '--permission-mode': [...CHOOSABLE_PERMISSION_MODES, 'manual'],
  '--sandbox': SANDBOX_MODES,
  '--effort': Effort.options,
  '--setting-sources': SETTING_SOURCES,
  '--permission-prompt-tool': ['stdio'],
  '--settings': 'files',
  '--mcp-config': 'files',
  '--json-schema': 'files',
  '--system-prompt-file': 'files',
  '--append-system-prompt-file': 'files',
  '--add-dir': 'folders',
};

export type CompletedFlag = {
  /** The short ones first. */
  readonly names: readonly string[];
  readonly help: string;
  readonly isList: boolean;
  /** Absent where the flag takes no value. */
  readonly value?: { readonly label: string; readonly offer: Offer };
};

export type CompletedCommand = {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** What its own words may be. */
  readonly words: Offer;
};

export const RUN_FLAGS: readonly CompletedFlag[] = (Object.keys(FLAGS) as FlagName[]) // its own keys
  .filter((name) => !SUBCOMMAND_FLAGS.includes(name))
  .map(toFlag);

export const COMMANDS: readonly CompletedCommand[] = SUBCOMMAND_NAMES.map((name) => {
  const { help, flags, words }: Subcommand = SUBCOMMANDS[name];
  const all = [...flags, '--help' as const].map(toFlag);
  return { name, help, flags: all, words: words ?? 'nothing' };
});

function toFlag(name: FlagName): CompletedFlag {
  const { aliases = [], help, value: label, isList = false }: Flag = FLAGS[name];
  const short = aliases.filter((alias) => !alias.startsWith('--'));
  return {
    names: [...short, name],
    help,
    isList,
    ...(label === undefined ? {} : { value: { label, offer: OFFERS[name] ?? 'nothing' } }),
  };
}
