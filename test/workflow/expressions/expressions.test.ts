import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/workflow/expressions/evaluate.js';
import { ExpressionError } from '../../../src/workflow/expressions/expression-error.js';
import { pathsIn } from '../../../src/workflow/expressions/expression.js';
import { parseExpression } from '../../../src/workflow/expressions/parse-expression.js';
import { fillTemplates, parseCondition } from '../../../src/workflow/expressions/template.js';

const scope = {
  inputs: { count: '3', name: 'a b' },
  tasks: {
    'fix-tests': { status: 'done', output: 'all\ngood', json: { found: [1, { deep: 'x' }] } },
    none: { status: 'skipped', output: null },
  },
};
const valueOf = (text: string): unknown => evaluate(parseExpression(text), scope);
const problemOf = (run: () => unknown): { message: string; at: number | undefined } => {
  try {
    run();
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, at: error.at };
    throw error;
  }
  throw new Error('it has a value');
};

describe('an expression', () => {
  it.each([
    ['tasks.fix-tests.status', 'done'],
    ["tasks['fix-tests'].json.found[1].deep", 'x'],
    ['tasks.fix-tests.json.found[-1].deep', 'x'],
    ["'it''s'", "it's"],
    ['-1.5', -1.5],
    ['null', null],
    ["tasks.fix-tests.status == 'done' and inputs.count > 2", true],
    ["not tasks.none.output or 'never read'", true],
    ["not (tasks.none.status != 'skipped')", true],
    ['inputs.count == 3', true],
    ["inputs.count == '3.0'", false],
    ['inputs.count <= 2', false],
    ["'abc' < 'abd'", true],
    ["tasks.fix-tests.output contains 'good'", true],
    ['tasks.fix-tests.json.found contains 1', true],
    ["tasks.none.output == null and inputs.name == 'a b'", true],
    ["false and tasks.none.output.missing == 'not read'", false],
  ])('%s is %j', (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it.each([
    ['tasks.fix-tests.status = 1', '"=" means nothing here. Write "==".', 23],
    ['a && b', '"&" means nothing here. Write "and".', 2],
    ['!a', '"!" means nothing here. Write "not".', 0],
    ['a == "b"', `"\\"" means nothing here. Put texts in single quotes: 'done'.`, 5],
    ["a == 'b", `"'" means nothing here. The text does not end: a single quote is missing.`, 5],
    ['a.', 'A name after the dot is expected, and the expression ends.', 2],
    ['(a', '")" is expected, and the expression ends.', 2],
    ['a b', 'The end of the expression is expected, and there is "b".', 2],
    ['', 'A value is expected, and the expression ends.', 0],
    ['a.b()', 'The end of the expression is expected, and there is "(".', 3],
  ])('%s is refused with its place', (text, message, at) => {
    expect(problemOf(() => parseExpression(text))).toEqual({ message, at });
  });

  it.each([
    ['parentheses', '(', ')'],
    ['nots', 'not ', ''],
    ['both', '(not ', ')'],
  ])('may have %s in each other, to a definite depth', (_, open, close) => {
    const nested = (count: number): string => `${open.repeat(count)}true${close.repeat(count)}`;
    const most = open.length > 4 ? 50 : 100;
    expect(valueOf(nested(most))).toBe(true);
    expect(problemOf(() => parseExpression(nested(50_000)))).toEqual({
      message: 'The nesting is more than 100 deep: remove some "not" and parentheses.',
      at: most * open.length,
    });
  });

  it.each(['and', 'or'])('may have any number of %s', (word) => {
    const expression = parseExpression(Array(50_000).fill('inputs.count').join(` ${word} `));
    expect(evaluate(expression, scope)).toBe('3');
    expect(pathsIn(expression)).toHaveLength(50_000);
  });

  it.each([
    ['tasks.none.output.x', '"tasks.none.output.x": there is no "x" in nothing.'],
    ['tasks.fix-tests.json.fnd', '"tasks.fix-tests.json.fnd": there is no "fnd"; there are found.'],
    [
      'tasks.fix-tests.json.found[7]',
      '"tasks.fix-tests.json.found[7]": the list has 2 entries, and no [7].',
    ],
    [
      'tasks.constructor.name',
      '"tasks.constructor.name": there is no "constructor"; there are fix-tests, none.',
    ],
    [
      "'a' < 1",
      'the text "a" and the number "1" have no order: compare two numbers, or two texts.',
    ],
  ])('%s has no value, and says why', (text, message) => {
    expect(problemOf(() => valueOf(text)).message).toBe(message);
  });

  it('names some of the parts that there are, not all of many', () => {
    const json = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
    const list = Object.keys(json).slice(0, 20).join(', ');
    expect(problemOf(() => evaluate(parseExpression('item.zz'), { item: json })).message).toBe(
      `"item.zz": there is no "zz"; there are ${list} and 980 more.`,
    );
  });

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let problem: unknown;
        try {
          parseExpression(text);
        } catch (error) {
          problem = error;
        }
        expect(problem === undefined || problem instanceof ExpressionError).toBe(true);
      }),
    );
  });
});

describe('a text with expressions', () => {
  it('has their values in their places', () => {
    expect(
      fillTemplates(
        { a: 'Fix ${{ tasks.fix-tests.json.found }} by ${{ inputs.name }}.', b: ['$${{ x }}', 7] },
        scope,
      ),
    ).toEqual({ a: 'Fix [1,{"deep":"x"}] by a b.', b: ['${{ x }}', 7] });
  });

  it('becomes the value if it is one expression and nothing else', () => {
    expect(fillTemplates('${{ tasks.fix-tests.json.found }}', scope)).toEqual([1, { deep: 'x' }]);
  });

  it('may hold braces in texts', () => {
    expect(fillTemplates("${{ '}}' }}", scope)).toBe('}}');
  });

  it('never looks at what it was filled with', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const evil = `\${{ inputs.other }}$\${{${value}}}`;
        const filled = fillTemplates('<${{ inputs.evil }}>', { inputs: { evil, other: 'read' } });
        expect(filled).toBe(`<${evil}>`);
      }),
    );
  });

  it('that is not closed is refused with its place', () => {
    expect(problemOf(() => fillTemplates('Fix ${{ a', scope))).toEqual({
      message: '"${{" is not closed by "}}". Write $${{ for the text itself.',
      at: 4,
    });
  });

  it('is a condition with or without the braces', () => {
    expect(parseCondition('${{ inputs.name }}')).toEqual({
      ...parseCondition('inputs.name'),
      at: 4,
    });
  });
});
