import type {
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { listModels, toPermissionMode } from '../../api/query/describe-session.js';
import type {
  Effort,
  PermissionMode,
  SessionHandle,
  ToolPermissionContext,
} from '../../api/types.js';
import { invalidParams } from './to-request-error.js';

/** The settings of a session that its client shows and changes: the permission mode, the model, the effort. */
export interface SessionSettings {
  readonly modes: () => SessionModeState;
  readonly options: () => SessionConfigOption[];
  /** Note a mode that the session has changed to. @returns whether it is another one */
  noteMode(mode: PermissionMode): boolean;
  /** @throws RequestError for a mode that the session does not have */
  setMode(mode: string): void;
  /** @throws RequestError for an unknown option or value */
  setOption(id: string, value: unknown): Promise<void>;
}

type Choice<Id extends string> = readonly [id: Id, name: string, description: string];

const MODES: readonly Choice<PermissionMode>[] = [
  ['default', 'Ask', 'Asks before each change that no rule allows'],
  ['acceptEdits', 'Accept edits', 'Changes files in the workspace without asking'],
  ['plan', 'Plan', 'Reads and plans, and changes nothing until you approve the plan'],
  ['auto', 'Auto', 'Lets a classifier decide in place of a person'],
  ['dontAsk', "Don't ask", 'Denies each call that no rule allows'],
  ['bypassPermissions', 'Bypass permissions', 'Allows every call that no rule denies'],
];

const EFFORTS: readonly Choice<Effort>[] = [
  ['low', 'Low', 'The fastest answers'],
  ['medium', 'Medium', 'Some thinking'],
  ['high', 'High', 'More thinking'],
  ['xhigh', 'Extra high', 'Much thinking'],
  ['max', 'Max', 'The most thinking'],
];
/** The value for the model or the effort that the session started with. */
const DEFAULT = 'default';

/** The values that a session started with. */
export type Started = {
  readonly permissions: ToolPermissionContext;
  /** The environment, and the limits of models if settings have any. */
  readonly names: Parameters<typeof listModels>[0];
  /** The model, if one was chosen. */
  readonly modelName: string | undefined;
  readonly effort: Effort | undefined;
};

export function createSessionSettings(
  session: Pick<SessionHandle, 'setEffort' | 'setModel' | 'setPermissionMode'>,
  { permissions, names, modelName, effort }: Started,
): SessionSettings {
  const known = MODES.filter(([id]) => isAvailable(id, permissions));
  const current = { mode: permissions.mode, model: DEFAULT, effort: DEFAULT };
  const choices = {
    mode: known.map(toOption),
    model: modelOptions(names, modelName),
    effort: [toOption([DEFAULT, effort ?? 'Default', OF_SETTINGS]), ...EFFORTS.map(toOption)],
  };
  const change = {
    mode(wanted: string): void {
      const mode = toPermissionMode(wanted);
      session.setPermissionMode(mode);
      current.mode = mode;
    },
    async model(wanted: string): Promise<void> {
      await session.setModel(wanted === DEFAULT ? modelName : wanted);
      current.model = wanted;
    },
    effort(wanted: string): void {
      session.setEffort(EFFORTS.find(([one]) => one === wanted)?.[0] ?? effort);
      current.effort = wanted;
    },
  };
  const set = (id: keyof typeof change, value: unknown): Promise<void> | void => {
    const found = choices[id].find((one) => one.value === value);
    if (found === undefined)
      throw invalidParams(
        `There is no ${id} ${JSON.stringify(value)} in this session. Choose ${choices[id].map((one) => one.value).join(', ')}.`,
      );
    return change[id](found.value);
  };
  return {
    modes: () => ({
      currentModeId: current.mode,
      availableModes: known.map(([id, name, description]) => ({ id, name, description })),
    }),
    options: () =>
      OPTIONS.map(({ id, name, category }) => ({
        type: 'select',
        id,
        name,
        category,
        currentValue: current[id],
        options: [...choices[id]],
      })),
    noteMode(mode) {
      const isOther = mode !== current.mode;
      current.mode = mode;
      return isOther;
    },
    setMode: (mode) => void set('mode', mode),
    async setOption(id, value) {
      const option = OPTIONS.find((one) => one.id === id);
      if (option === undefined)
        throw invalidParams(`There is no option "${id}". Choose mode, model or effort.`);
      await set(option.id, value);
    },
  };
}

const OPTIONS = [
  { id: 'mode', name: 'Permission mode', category: 'mode' },
  { id: 'model', name: 'Model', category: 'model' },
  { id: 'effort', name: 'Effort', category: 'thought_level' },
] as const;

const OF_SETTINGS = 'As in the settings';

function modelOptions(
  names: Started['names'],
  modelName: string | undefined,
): readonly SessionConfigSelectOption[] {
  const first = toOption([DEFAULT, modelName ?? 'Default', OF_SETTINGS]);
  const named = listModels(names)
    .filter(({ value }) => value !== DEFAULT)
    .map(({ value, description }) => ({ value, name: value, description }));
  return [first, ...named];
}

function isAvailable(
  mode: PermissionMode,
  {
    isBypassPermissionsModeAvailable,
    isAutoModeAvailable,
  }: Pick<ToolPermissionContext, 'isBypassPermissionsModeAvailable' | 'isAutoModeAvailable'>,
): boolean {
  if (mode === 'bypassPermissions') return isBypassPermissionsModeAvailable;
  return mode !== 'auto' || isAutoModeAvailable === true;
}

function toOption([value, name, description]: Choice<string>): SessionConfigSelectOption {
  return { value, name, description };
}
