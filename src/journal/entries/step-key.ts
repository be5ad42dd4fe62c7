/** The names of an agent's steps in its journal: made and parsed here only. */
export const stepKey = {
  inbox: (turn: number) => `turn:${turn}/inbox`,
  model: (turn: number) => `turn:${turn}/model`,
  /** The part of a reply that ends with its tool call number `index`. */
  said: (turn: number, index: number) => `turn:${turn}/said:${index}`,
  tool: (turn: number, id: string) => `turn:${turn}/tool:${id}`,
  endsTurn: (turn: number, id: string) => `${stepKey.tool(turn, id)}${ENDS_TURN}`,
  classifier: (turn: number, id: string, digest: string) =>
    `turn:${turn}/classifier:${id}:${digest}`,
  /** Old results that became references to files. */
  replace: (turn: number) => `turn:${turn}/replace`,
  compact: (turn: number) => `turn:${turn}/compact`,
  conclude: (turn: number) => `turn:${turn}/conclude`,
} as const;

/** The outcome of the hooks of one event for one cause, such as a prompt. It belongs to no turn. */
export function hookKey(event: string, cause: string): string {
  return `${HOOKS}${event}:${cause}`;
}

export function isHookKey(key: string): boolean {
  return key.startsWith(HOOKS);
}

const HOOKS = 'hook:';

export type StepPart = keyof typeof stepKey;

export type Step = {
  readonly turn: number;
  readonly part: StepPart;
  /** The part after the colon: the ID of a tool call, the index of a part. */
  readonly id: string;
};

/** @returns undefined for a key that `stepKey` does not make */
export function parseStepKey(key: string): Step | undefined {
  const [, turn, part, id = '', end] = KEY.exec(key) ?? [];
  if (turn === undefined || part === undefined || !isPart(part)) return undefined;
  return { turn: Number(turn), part: end === undefined ? part : 'endsTurn', id };
}

/** Whether a step comes before the turn whose number follows its own. */
export function isBeforeTurn(part: StepPart): boolean {
  return BEFORE_TURN.has(part);
}

const BEFORE_TURN: ReadonlySet<StepPart> = new Set(['inbox', 'replace', 'compact']);

/** The turn of a step. Taking messages and compacting belong to the turn that they begin. */
export function turnOfStep({ turn, part }: Pick<Step, 'turn' | 'part'>): number {
  return isBeforeTurn(part) ? turn + 1 : turn;
}

const ENDS_TURN = '/ends-turn';
/** The ID of a tool call may have slashes and colons. */
const KEY = new RegExp(`^turn:(\\d+)/([a-z]+)(?::(.*?))?(${ENDS_TURN})?$`, 's');

function isPart(part: string): part is StepPart {
  return Object.hasOwn(stepKey, part);
}
