import { nearestName } from '../../api/text.js';
import { COMMAND_FLAGS } from './command-flags.js';
import { RUN_TOPICS, type Flag } from './flag-table.js';

const TABLE = {
  ...RUN_TOPICS.Sessions,
  ...RUN_TOPICS['Model and limits'],
  ...RUN_TOPICS.Permissions,
  ...RUN_TOPICS['Agents, tools and settings'],
  ...RUN_TOPICS['Input and output'],
  ...RUN_TOPICS.Other,
  ...COMMAND_FLAGS,
};

export type FlagName = keyof typeof TABLE;

/** The names of a table of flags. */
const namesIn = (table: object): readonly FlagName[] => Object.keys(table) as FlagName[]; // typed by the table

export const FLAG_NAMES = namesIn(TABLE);

/** The flags of a run, by the headings of its help. */
export const RUN_FLAGS_BY_TOPIC = Object.entries(RUN_TOPICS).map(
  ([topic, table]) => [topic, namesIn(table)] as const,
);
export const RUN_FLAGS = RUN_FLAGS_BY_TOPIC.flatMap(([, names]) => names);

export function flagOf(name: FlagName): Flag {
  return TABLE[name];
}

/** The flags whose value is one of a few words. */
export type ChoiceFlag = {
  [Name in FlagName]: (typeof TABLE)[Name] extends { offer: readonly string[] } ? Name : never;
}[FlagName];

export type ChoiceOf<Name extends ChoiceFlag> = (typeof TABLE)[Name]['offer'][number];

export function choicesOf<Name extends ChoiceFlag>(name: Name): readonly ChoiceOf<Name>[] {
  return TABLE[name].offer;
}

/** The flag that a word of the command line names. */
export function findFlag(word: string): FlagName | undefined {
  return FLAG_NAMES.find((name) => name === word || flagOf(name).aliases?.includes(word));
}

/** The flag with the most similar name. */
export function nearestFlag(word: string): string | undefined {
  const all = FLAG_NAMES.flatMap((name) => [name, ...(flagOf(name).aliases ?? [])]);
  const otherCase = all.find((name) => name.toLowerCase() === word.toLowerCase());
  const longOnes = all.filter((name) => name.startsWith('--'));
  return otherCase ?? nearestName(word, longOnes, 3);
}
