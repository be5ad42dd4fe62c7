import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { analyse } from '../../../src/permissions/shell/analyse.js';
import { isReadOnlyCommand } from '../../../src/permissions/shell/read-only.js';
import { contextOf, place, shellFacts, type PathCase } from '../corpus.js';

function judge(command: string, rules: Partial<PathCase> = {}): string {
  return decide(shellFacts(command), contextOf(rules)).behavior;
}

/** Those of `commands` that are not decided as `expected`. */
function others(
  expected: string,
  commands: readonly string[],
  rules: Partial<PathCase> = {},
): readonly string[] {
  return commands.filter((command) => judge(command, rules) !== expected);
}

describe('a rule that denies a command', () => {
  const deny = { mode: 'bypassPermissions', deny: ['Bash(rm *)'] } as const;

  it('holds however deep the command stands and however it is spelt', () => {
    const hidden = [
      'r\\m -rf x', '"rm" x', "r''m x", '\\rm x', 'rm\tx', 'r\\\nm x', "$'\\x72m' x", '$"rm" x',
      'rm${IFS}-rf${IFS}x', 'rm$IFS-rf', 'r$@m x', '{rm,-rf,x}',
      '$(rm x)', 'echo $(echo $(rm x))', 'echo "$(echo "$(rm x)")"', '`rm x`', 'echo "`rm x`"',
      'cat <(rm x)', 'tee >(rm x)', 'echo $((1+$(rm x)))', 'echo ${x:-$(rm y)}', 'echo "${x:=`rm y`}"',
      'for i in 1; do rm x; done', 'while rm x; do ls; done', 'until rm x; do ls; done',
      'if rm x; then ls; fi', 'if ls; then rm x; else ls; fi', 'case a in a) rm x;; esac',
      '! rm x', 'coproc rm x', 'function f { rm x; }; f', 'f() { rm x; }', '(rm x)', '{ rm x; }', '((rm x))',
      'ls & rm x', 'ls |& rm x', 'ls||rm x', 'ls;rm x', 'ls\nrm x', '# c\nrm x', "echo 'a\\' ; rm x",
      'A=1 B=2 rm x', 'A=$(rm x)', 'A=$(rm x) ls', 'a=($(rm x))', 'export A=$(rm x)',
      'cat <<EOF\n$(rm x)\nEOF', 'cat <<-EOF\n\t`rm x`\n\tEOF', 'cat <<< $(rm x)', 'ls > $(rm x)',
      "cat <<'EOF'\nx\nEOF\nrm x", 'cat <<E\nrm y', '[[ $(rm x) ]]', 'ls > a rm; rm b',
      'env rm x', 'env -i A=1 rm x', 'sudo rm x', 'sudo -u bob rm x', 'timeout -k 5 10 rm x', 'timeout 5s rm x',
      'nohup nice rm x', 'nice -n 5 rm x', 'time -p rm x', 'watch -n 1 rm x', 'ionice -c 3 rm x', 'setsid rm x',
      'builtin rm x', 'command rm x', 'stdbuf -oL rm x', 'ls | xargs rm', 'ls | xargs -0 rm', '>x rm y',
      'echo "unclosed; rm x', "echo 'unclosed; rm x", 'echo $(unclosed; rm x', 'ls\rrm\nrm x', 'rm x # comment',
    ];
    expect(others('deny', hidden, deny)).toEqual([]);
  });

  it('does not reach for what only looks like it', () => {
    const innocent = [
      'echo rm x', 'git rm x', 'echo "rm x"', 'ls # rm x', 'cat rm.txt', 'rmdir x', "echo 'a; rm x'",
      'echo a\\;rm x', 'command -v rm', "cat <<'EOF'\n$(rm x)\nEOF",
    ];
    expect(others('allow', innocent, deny)).toEqual([]);
  });
});

describe('a command that only reads', () => {
  it('runs without asking', () => {
    const reading = [
      'ls -la | head -n 5', 'git log --oneline -n 5', 'git log --oneline | head', 'git show HEAD',
      'git diff HEAD~1 -- src/a.ts', 'git --no-pager diff', "git diff 'HEAD@{1}'", 'git diff HEAD@{1}',
      "find . -type f -name '*.ts' | wc -l", 'find src -maxdepth 2 -mtime -7', 'find . \\( -name a -o -name b \\)',
      'sort -n a.txt', 'sort -k2,2 -t: a.txt', 'sort -t / -k 2 a.txt', 'sort --reverse a.txt',
      "sed -n '1,20p' src/a.ts", "sed 's/a/b/g' a.txt", "sed -e '/x/d' -e 's|a|b|' a.txt", "sed '$!d' a",
      'grep -rn "foo|bar" src', 'grep -e /etc a.txt', 'grep /etc a.txt', 'grep -A 3 /x a.txt',
      'cat < a.txt', 'echo hi 2>&1', 'ls 1>&2', 'ls;', 'ls &', 'ls\n\nls', 'ls &&\nls', 'time ls', 'NO_COLOR=1 ls',
      'cd src; ls', 'cd src && cd .. && ls', 'cd . && git log', 'echo a\\ b', 'echo "cost: $ 5"', 'echo a{b',
      'wc -l *.ts', 'du -sh *', 'tail -f x.log', 'ls >/dev/null 2>&1', 'ls 2>/dev/null', 'which -a node',
      'cat -- -n', 'cat src/../a.txt', 'cat /home/u/proj/a.txt', 'ls \\\n  -la', 'echo "a\\\nb"', 'timeout 5 ls',
      'find . -name x | xargs grep foo', 'echo ✅️ done', '"ls" -la', "echo '$HOME'", 'echo \\$HOME',
    ];
    expect(others('allow', reading)).toEqual([]);
    expect(others('allow', reading, { mode: 'plan' })).toEqual([]);
  });

  it('asks where an option, a path or the shell makes it more', () => {
    const asking = [
      'find . -delete', 'find . -fprintf x y', 'find . -exec ls {} +', 'find -files0-from=x', 'find *',
      'sort -o a b', 'sort -ob a', 'sort -no a b', 'sort a -o b', 'sort --outp=x a', 'sort --compress-prog=x a', 'sort *',
      'sort -T /tmp a', 'git diff --output=x', 'git log --outp=x', 'git log --ext', 'git -C .. log', 'git -c a=b log',
      'git --exec-path=. log', 'git branch', 'git diff --no-index /etc/passwd x', 'git diff *.ts', 'git -p log',
      "sed -n 'w x' f", "sed '1e id' f", 'sed -f s f', "sed --expression='w x' f", "sed 's/a/b/w x' f", "sed 'r /etc/x' f",
      "sed -n '1{w x\n}' f", 'sed --in-place s/a/b/ f', "sed '1!e id' f", "sed 's/a/b/;e id' f",
      'cat /etc/passwd', 'cat ../x', 'cat ~/x', 'cat ~root/x', 'cat </etc/passwd', 'cat /dev/tcp/a/80', 'ls /',
      'grep -f /etc/passwd x', 'grep -f/etc/passwd x', 'diff --from-file=/etc/passwd x', 'wc --files0-from=/etc/x',
      'cd / && ls', 'cd .. && cat x', 'cd', 'cd -', 'cd "$X"', 'cd a b', 'cd *', 'pushd src', 'cd src; cat ../a.txt',
      'cd src || git log', 'cd src; git log', 'nohup cd src && cat ../x', 'command cd .. && cat x',
      'ls > x', 'ls >| x', '> x', 'ls >& x', 'ls &> x', 'ls &>> x', 'ls 3> x', 'ls <> x', 'ls > ~/x', 'ls > $X',
      'ls $X', 'ls $(pwd)', 'ls `pwd`', 'cat <<E\nx\nE', 'cat <<< x', 'ls {a,b}', 'ls {1..3}', '$X', 'l* a', '~/ls',
      '(ls)', '{ ls; }', 'if ls; then ls; fi', '! ls', '[[ -f x ]]', 'ls; done', 'ls)', 'ls ;; ls', 'ls ; ; ls',
      'ls &&', '| ls', '&& ls', 'ls & && ls', 'ls |', 'ls >', 'ls "', "ls '", 'ls \\', '', '   ', '# nothing',
      'ls\u200b', 'ls\u00a0-la', 'ls \ufeff', 'ls\u0000', 'ls\r', 'echo \u202e', 'ls \ud800', '/bin/ls', './ls', 'LS',
      'A=1', 'LANG=C', 'A=1 ls', 'PATH=. ls', 'export A=1', 'readonly A', 'env ls', 'sudo ls', 'exec ls', 'eval ls',
      'xargs -I{} ls {}', 'ls | xargs sort', 'ls | xargs find', 'watch ls', 'awk 1 a', 'tee x', `echo ${'a'.repeat(10_001)}`,
    ];
    expect(others('ask', asking)).toEqual([]);
  });
});

describe('rules that allow', () => {
  it('look through plain wrappers, never through others', () => {
    const allow = ['Bash(npm test *)', 'Bash(watch *)', 'Bash(find *)', 'Bash(setsid npm test)'];
    const fine = ['npm test', 'timeout 5 npm test a', 'nice -n 5 npm test', 'nohup npm test', 'ls | xargs npm test',
      'TZ=UTC npm test', 'setsid npm test', 'find . -name x', 'npm test 2>/dev/null', 'npm test *.ts'];
    expect(others('allow', fine, { allow })).toEqual([]);
    const asking = ['npm tests', 'timeout -s KILL 5 npm test', 'sudo npm test', 'watch ls', 'find . -delete',
      'A=1 npm test', 'npm test > out', 'npm test $X', 'npm test; curl x', '"npm" test', 'cd src && git push'];
    expect(others('ask', asking, { allow })).toEqual([]);
  });

  it('do not reach what a bare rule may not allow', () => {
    const bare = { allow: ['Bash'] };
    expect(others('allow', ['npm install', 'curl x | bash', 'rm -rf dist'], bare)).toEqual([]);
    expect(others('ask', ['watch ls', 'export A=1', 'ls > /etc/x', '$X', 'rm -rf /', 'ls "'], bare)).toEqual([]);
  });
});

describe('the mode acceptEdits', () => {
  const mode = 'acceptEdits';

  it('accepts file commands inside the workspace', () => {
    const fine = ['mkdir -p a/b', 'mkdir -m 755 a', 'cp a b', 'cp -r a b/', 'mv a b', 'rm -r src/x', 'touch a b', 'rm "a b"',
      "sed -i.bak 's/a/b/' f", 'echo x > src/a && rm src/a', 'timeout 5 rm x', 'LANG=C rm x', 'cd src && touch x',
      'touch .claude/worktrees/a/b'];
    expect(others('allow', fine, { mode })).toEqual([]);
  });

  it('asks for anything else', () => {
    const asking = ['cp -t /etc a', 'mv a /tmp/x', 'rm *', 'rm src/*', 'touch .bashrc', "sed -i 's/a/b/w x' f", 'rm -rf .git',
      'ls | xargs rm', 'A=1 rm x', 'cp a .git/hooks/x', 'touch ~/x', 'cd .git && touch x', 'rm', 'ln -s a b', 'chmod +x a',
      "sed -i/tmp/x 's/a/b/' f", 'touch -r /etc/passwd x', 'cd src; touch ../x', 'echo x > .envrc', 'rm --no-preserve-root x'];
    expect(others('ask', asking, { mode })).toEqual([]);
  });
});

describe('a critical removal', () => {
  it('asks even in bypassPermissions', () => {
    const critical = ['rm -rf /', 'rm -rf "/"', 'rm -rf $HOME', 'rm -rf "${HOME}"/', 'rm -rf ~/', 'rm -rf ..', 'rm -rf ../..',
      'rm -rf ./*', 'rm -rf *', 'cd / && rm -rf *', 'rm -rf /home/u/proj/', 'rm -rf "$X/"', 'rm -rf ${X}/*', 'rm -rf $X/',
      'sudo rm -rf /', '(rm -rf /)', 'rm -rf -- /', '/bin/rm -rf /', 'rm -rf /usr/../', 'rmdir /tmp', 'rm -rf {/,x}',
      'echo $(rm -rf ~)', 'rm -rf src/..', 'A=1 rm -rf /', 'if ls; then rm -rf /; fi', 'rm -rf $PWD', 'rm -r /*/',
      'rm -rf `pwd`/*', "'rm' -rf /", 'xargs rm -rf /'];
    expect(others('ask', critical, { mode: 'bypassPermissions' })).toEqual([]);
  });

  it('is no removal of something in particular', () => {
    const benign = ['rm -rf dist/', 'rm -rf /home/u/proj/dist', 'rm -rf $X', 'rm -rf node_modules/*', 'rm -rf /tmp/x',
      'rm -rf "$DIR"/build', 'cd dist && rm -rf *', 'echo rm -rf /', 'rm -rf ./a ./b', 'rm *.log'];
    expect(others('allow', benign, { mode: 'bypassPermissions' })).toEqual([]);
  });
});

describe('rules for files', () => {
  it('hold for the files that commands name', () => {
    const deny = ['Read(.env)', 'Read(~/.ssh/**)', 'Edit(/locked/**)', 'Read(/secrets/**)'];
    const denied = ['cat .env', 'cat ./.env', 'cat src/../.env', 'cat .e""nv', 'head -c5 .env', 'cat<.env', 'sudo cat .env',
      'cat $HOME/.ssh/id', 'cat "${HOME}"/.ssh/id', 'cat ~/.ssh/id', 'cd src && cat ../.env', 'grep -r x secrets', 'grep x -f.env y',
      'while read l; do echo $l; done < .env', 'echo $(cat .env)', 'git show HEAD:.env', 'echo x > .env', 'cp .env x',
      'echo x > locked/a', 'touch locked/a', 'mv a locked/b', "sed -i 's/a/b/' locked/a", 'rm locked/a', 'echo $X >> locked/a'];
    expect(others('deny', denied, { deny, mode: 'bypassPermissions' })).toEqual([]);
    const fine = ['cat .env.example', 'cat locked/a', 'echo .env', 'cat *.ts', 'ls'];
    expect(others('allow', fine, { deny })).toEqual([]);
  });

  it('ask where a wildcard or a pipe may name what must not be read', () => {
    const deny = ['Read(.env)', 'Read(**/*.pem)'];
    const asking = ['cat .e*', 'cat .en?', 'cat k*.p?m', 'cat a/k*', 'echo .env | xargs cat'];
    expect(others('ask', asking, { deny, mode: 'bypassPermissions' })).toEqual([]);
  });
});

describe('isReadOnlyCommand', () => {
  it('is true only for commands that change nothing, not even the directory', () => {
    const answers = ['ls', 'cat /etc/passwd', 'ls | grep cd', 'cd src && ls', 'ls > x', 'rm x', 'ls "'].map(
      isReadOnlyCommand,
    );
    expect(answers).toEqual([true, true, false, false, false, false, false]);
  });
});

describe('analyse', () => {
  it('survives whatever it is given', () => {
    const monsters = ['"$('.repeat(20_000), '('.repeat(50_000), '`'.repeat(9_999), '${'.repeat(5_000), '<<'.repeat(5_000)];
    for (const monster of monsters) {
      expect(analyse(monster, place).problem).toBeDefined();
    }
  });
});
