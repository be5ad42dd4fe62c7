import { describe, expect, it } from 'vitest';
import { planGlob } from '../../../../src/tools/files/search/glob-pattern.js';

describe('planGlob', () => {
  it.each([
    ['**/*.ts', '/w', ['--glob=/**/*.ts']],
    ['*.ts', '/w', ['--max-depth=1', '--glob=/*.ts']],
    ['src/**/*', '/w/src', []],
    ['src/*', '/w/src', ['--max-depth=1']],
    ['**/Makefile', '/w', ['--type-add=wanted:Makefile', '--type=wanted']],
    ['Makefile', '/w', ['--max-depth=1', '--type-add=wanted:Makefile', '--type=wanted']],
    ['packages/*/src/*.ts', '/w/packages', ['--max-depth=3', '--glob=/*/src/*.ts']],
    ['{a/b,c}/*.ts', '/w', ['--glob=/{a/b,c}/*.ts']],
    ['**/**/**/x.y', '/w', ['--glob=/**/x.y']],
    ['!x', '/w', ['--max-depth=1', '--type-add=wanted:!x', '--type=wanted']],
    ['../../x/*', '/x', ['--max-depth=1']],
    ['/etc/*.conf', '/etc', ['--max-depth=1', '--glob=/*.conf']],
  ])('searches for %s below the folder that it names', (pattern, base, args) => {
    expect(planGlob('/w', pattern)).toEqual({ base, args });
  });

  it.each(['', '.', '/', './.'])('finds no file name in %j', (pattern) => {
    expect(planGlob('/w', pattern)).toContain('names no file');
  });

  it('lets nothing lead out of the folder that it names', () => {
    expect(planGlob('/w', '*/../../etc/passwd')).toContain('".." is only allowed at the start');
    expect(planGlob('/w', 'a/..')).toContain('".." is only allowed at the start');
  });
});
