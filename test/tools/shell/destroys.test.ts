import { describe, expect, it } from 'vitest';
import { seemsDestructive } from '../../../src/tools/shell/destroys.js';

describe('a command line seems to destroy something', () => {
  it.each([
    'rm -rf build',
    'cd build && rm *.o',
    'find . -name "*.o" | xargs rm',
    'if true; then /bin/rm a; fi',
    'git reset --hard HEAD~1',
    'git -C sub clean -fd',
    'git push origin main --force',
    'git push -f',
    'git branch -D old',
    'git checkout -- .',
    'sudo dd if=/dev/zero of=/dev/sda',
    'kill 1',
  ])('%s', (command) => expect(seemsDestructive(command)).toBe(true));

  it.each([
    'rmdir-list',
    'npm run rm',
    'echo harm',
    'git push',
    'git reset HEAD a',
    'git checkout main',
    'ls',
  ])('but not: %s', (command) => expect(seemsDestructive(command)).toBe(false));

  it('is decided at once for a long line', () => {
    const start = performance.now();
    expect(seemsDestructive('git push a '.repeat(20_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
