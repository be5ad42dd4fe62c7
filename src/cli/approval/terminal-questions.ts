import type { PermissionAnswer } from '../../api/types.js';
import { unmistakable } from '../../api/text.js';
import { AskUserQuestionInput } from '../../api/sessions/prompts.js';

/** Show a text with its choices and wait for one line; undefined if the terminal is closed. */
export type AskLine = (text: string, choices?: LineChoices) => Promise<string | undefined>;

/** Numbered choices, one a line, with the line below them. */
export type LineChoices = {
  readonly items: readonly {
    readonly value: string;
    readonly text: string;
    /** Not to be marked together with others. */
    readonly isAlone?: boolean;
  }[];
  readonly isMany: boolean;
  readonly how: string;
};

type Question = AskUserQuestionInput['questions'][number];

/** Read the questions of an input; undefined if it has another shape: a tool of a program may ask in its own way. */
export function readQuestions(input: unknown): AskUserQuestionInput | undefined {
  return AskUserQuestionInput.safeParse(input).data;
}

/** Ask the questions one after another; undefined if the terminal is closed. A line with only `-` refuses all of them. */
export async function askQuestions(
  input: AskUserQuestionInput,
  who: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  const answers: [string, string | string[]][] = [];
  let text = `\n${who} asks:\n`;
  for (const question of input.questions) {
    const answer = await askOne(question, text, ask);
    if (answer === undefined) return undefined;
    if (answer === REFUSED) return { behavior: 'deny' };
    answers.push([question.question, question.multiSelect ? [...answer] : answer.join(', ')]);
    text = '';
  }
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(answers) } };
}

const REFUSED = 'refused';

async function askOne(
  question: Question,
  head: string,
  ask: AskLine,
): Promise<readonly string[] | typeof REFUSED | undefined> {
  let text = head + titleOf(question);
  const choices = {
    items: choicesOf(question),
    isMany: question.multiSelect,
    how: howToAnswer(question),
  };
  for (;;) {
    const said = (await ask(text, choices))?.trim();
    if (said === undefined) return undefined;
    if (said === '-') return REFUSED;
    const chosen = parseChoice(said, question);
    if (chosen === 'own words') {
      const own = (await ask('  Your answer:\n'))?.trim();
      if (own === undefined) return undefined;
      if (own !== '') return [own];
    } else if (chosen !== undefined) return chosen;
    text = titleOf(question);
  }
}

/** Read a typed line as labels or as the person's own words; undefined if it is neither. */
export function parseChoice(
  text: string,
  { options, multiSelect }: Question,
): readonly string[] | 'own words' | undefined {
  if (text === '') return undefined;
  if (!/^\d+(?:[\s,]+\d+)*$/.test(text)) {
    const named = options.find(({ label }) => label.toLowerCase() === text.toLowerCase());
    return [named?.label ?? text];
  }
  const numbers = [...new Set(text.split(/[\s,]+/).map(Number))];
  if (numbers.length === 1 && numbers[0] === options.length + 1) return 'own words';
  if (numbers.length > 1 && !multiSelect) return undefined;
  const labels = numbers.flatMap((number) => options[number - 1]?.label ?? []);
  return labels.length === numbers.length ? labels : undefined;
}

/** A question with its numbered options. */
export function describeQuestion(question: Question): string {
  const lines = choicesOf(question).map(({ value, text }) => `    ${value} ${text}\n`);
  return titleOf(question) + lines.join('');
}

function titleOf({ header, question }: Question): string {
  return `  [${shown(header)}] ${shown(question)}\n`;
}

function choicesOf({ options }: Question): LineChoices['items'] {
  const items = options.map(({ label, description }, index) => ({
    value: String(index + 1),
    text: `${shown(label)}${description === '' ? '' : `: ${shown(description)}`}`,
  }));
  const own = { value: String(options.length + 1), text: 'something else', isAlone: true };
  return [...items, own];
}

function howToAnswer({ multiSelect }: Question): string {
  const numbers = multiSelect ? 'numbers, such as 1,2' : 'a number';
  return `${numbers}, or your own words · - gives no answer`;
}

function shown(text: string): string {
  return unmistakable(text).replaceAll('\n', '\n      ');
}
