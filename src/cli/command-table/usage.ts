import { actionsOf, type Action, type CommandName } from './commands.js';
import { flagOf } from '../arguments/flags.js';

/** Every form of a command, for errors and the help. */
export function usagesOf(name: CommandName): readonly string[] {
  return actionsOf(name).flatMap(([label, action]) => formsOf(label, action));
}

/** The forms of an action on one line. */
export function usageOf(label: string, action: Action): string {
  return formsOf(label, action).join(' | ');
}

function formsOf(label: string, { words = [], flags, shared, usage }: Action): readonly string[] {
  const forms = usage ?? [
    [
      ...words.map(({ name, isOptional, isRest }) => {
        const shown = isRest === true ? `${name}…` : name;
        return isOptional === true ? `[${shown}]` : shown;
      }),
      ...flags.map((name) => {
        const { value } = flagOf(name);
        return value === undefined ? `[${name}]` : `[${name} ${value}]`;
      }),
      ...(shared === undefined ? [] : ['[flags]']),
    ].join(' '),
  ];
  return forms.map((form) => `troupe ${label} ${form}`.trimEnd());
}
