import type { PermissionAnswer } from '../api/types.js';
import { printable } from '../api/text.js';
import { AskUserQuestionInput } from '../api/prompts.js';

/** Show a text and wait for one line; undefined if the terminal is closed. */
export type AskLine = (text: string) => Promise<string | undefined>;

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
  let text = `${head}${describeQuestion(question)}  ${howToAnswer(question)}\n`;
  for (;;) {
    const said = (await ask(text))?.trim();
    if (said === undefined) return undefined;
    if (said === '-') return REFUSED;
    const chosen = parseChoice(said, question);
    if (chosen === 'own words') {
      const own = (await ask('  Your answer:\n'))?.trim();
      if (own === undefined) return undefined;
      if (own !== '') return [own];
    } else if (chosen !== undefined) return chosen;
    text = `  ${howToAnswer(question)}\n`;
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
  const { header, options } = question;
  const lines = options.map(
    ({ label, description }, index) =>
      `    ${index + 1} ${shown(label)}${description === '' ? '' : `: ${shown(description)}`}`,
  );
  return [
    `  [${shown(header)}] ${shown(question.question)}`,
    ...lines,
    `    ${options.length + 1} something else`,
    '',
  ].join('\n');
}

function howToAnswer({ multiSelect }: Question): string {
  const numbers = multiSelect ? 'numbers, such as 1,2' : 'a number';
  return `${numbers}, or your own words · - gives no answer`;
}

function shown(text: string): string {
  return printable(text).replaceAll('\n', '\n      ');
}
