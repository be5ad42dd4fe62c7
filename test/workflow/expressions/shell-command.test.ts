import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionError } from '../../../src/workflow/expressions/expression-error.js';
import { fillCommand } from '../../../src/workflow/expressions/shell-command.js';

const inputs = { evil: `'; touch gone; echo "$(id)" \`id\`\n# \${{ inputs.other }}` };

/** The output of bash for a command that prints its words, one after each NUL. */
function wordsOf(command: string): readonly string[] {
  const script = `show() { printf '%s\\0' "$@"; }; ${command}`;
  const text = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}

describe('a command', () => {
  it('has each value as one word, quoted', () => {
    expect(
      wordsOf(fillCommand('show a ${{ inputs.evil }} -- x=${{ inputs.evil }}', { inputs })),
    ).toEqual(['a', inputs.evil, '--', `x=${inputs.evil}`]);
  });

  it('may be words, each of them as it is', () => {
    const command = ['show', '$HOME', "it's", '*', '', 'plain', '<${{ inputs.evil }}>'];
    expect(wordsOf(fillCommand(command, { inputs }))).toEqual([
      '$HOME',
      "it's",
      '*',
      '',
      'plain',
      `<${inputs.evil}>`,
    ]);
    expect(fillCommand(['npm', 'test', '--', './a.ts'], {})).toBe('npm test -- ./a.ts');
  });

  it('is what it was if it has no value', () => {
    const command = `echo "$HOME" 'x' # \${y}`;
    expect(fillCommand(command, {})).toBe(command);
  });

  it.each([
    'echo "${{ inputs.a }}"',
    "echo '${{ inputs.a }}'",
    'echo $(${{ inputs.a }})',
    'echo `${{ inputs.a }}`',
    'echo x # ${{ inputs.a }}',
    'cat <<EOF\n${{ inputs.a }}\nEOF',
    'a[${{ inputs.a }}]=1',
    '((x = ${{ inputs.a }}))',
    'echo \\${{ inputs.a }}',
  ])('%j is refused: the value might be read', (command) => {
    expect(() => fillCommand(command, { inputs: { a: '1' } })).toThrow(ExpressionError);
  });

  it('hands every text on as it is', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (values) => {
        const command = values.map((_, index) => `show \${{ values[${index}] }}`).join('\n');
        expect(wordsOf(fillCommand(command, { values }))).toEqual(values);
      }),
      { numRuns: process.env['TROUPE_DEEP'] === undefined ? 15 : 500 },
    );
  });
});
