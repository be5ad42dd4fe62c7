import { describe, expect, it } from 'vitest';
import { decidedOtherwise } from '../corpus.js';

describe('a rule that denies a command', () => {
  const deny = { mode: 'bypassPermissions', deny: ['Bash(rm *)'] } as const;

  it('holds for a value that becomes several words behind a wrapper', () => {
    const split = [
      'x="1 rm"; env a=$x b',
      'x="1 rm"; env a=$x',
      'env a=$(echo 1 rm) b',
      'env a=`echo 1 rm` b',
      "sudo a=$(printf '1 rm') b",
      "env a=$(cat <<< '1 rm') b",
      'x="1 rm y"; env -u z a=$x',
      'x="5 rm"; nice -n$x b',
      'x="1 rm"; sudo -E a=$x b',
      'x="1 rm"; timeout -k $x b',
      "for x in '1 rm'; do env a=$x b; done",
    ];
    expect(decidedOtherwise('deny', split, deny)).toEqual([]);
    const whole = [
      'x="1 rm"; env a="$x" b',
      'x=rm; env a=$x b',
      'x="1 rm"; echo a=$x b',
      'x="1 ls"; env a=$x b',
      'env PATH=$HOME/bin:$PATH make rm',
    ];
    expect(decidedOtherwise('allow', whole, deny)).toEqual([]);
  });

  it('holds however deep the command stands and however it is spelt', () => {
    const hidden = [
      'r\\m -rf x',
      '"rm" x',
      "r''m x",
      '\\rm x',
      'rm\tx',
      'r\\\nm x',
      "$'\\x72m' x",
      '$"rm" x',
      'rm${IFS}-rf${IFS}x',
      'rm$IFS-rf',
      'r$@m x',
      '{rm,-rf,x}',
      'r$()m x',
      'r``m x',
      'r$(true)m x',
      'echo $(case x in x) rm y;; esac)',
      'echo "$(case x in (a) ls;; x) rm y;; esac)"',
      '$(rm x)',
      'echo $(echo $(rm x))',
      'echo "$(echo "$(rm x)")"',
      '`rm x`',
      'echo "`rm x`"',
      'cat <(rm x)',
      'tee >(rm x)',
      'echo $((1+$(rm x)))',
      'echo ${x:-$(rm y)}',
      'echo "${x:=`rm y`}"',
      'for i in 1; do rm x; done',
      'for i do rm x; done',
      'for i { rm x; }',
      `function f { ${'function g { '.repeat(100)}rm x; }`,
      'while rm x; do ls; done',
      'until rm x; do ls; done',
      'if rm x; then ls; fi',
      'if ls; then rm x; else ls; fi',
      'case a in a) rm x;; esac',
      '! rm x',
      'coproc rm x',
      'function f { rm x; }; f',
      'f() { rm x; }',
      '(rm x)',
      '{ rm x; }',
      '((rm x))',
      'ls & rm x',
      'ls |& rm x',
      'ls||rm x',
      'ls;rm x',
      'ls\nrm x',
      '# c\nrm x',
      "echo 'a\\' ; rm x",
      'A=1 B=2 rm x',
      'A=$(rm x)',
      'A=$(rm x) ls',
      'a=($(rm x))',
      'export A=$(rm x)',
      'cat <<EOF\n$(rm x)\nEOF',
      'cat <<-EOF\n\t`rm x`\n\tEOF',
      'cat <<< $(rm x)',
      'ls > $(rm x)',
      "cat <<'EOF'\nx\nEOF\nrm x",
      'cat <<E\nrm y',
      '[[ $(rm x) ]]',
      'ls > a rm; rm b',
      'env rm x',
      'env -i A=1 rm x',
      'sudo rm x',
      'sudo -u bob rm x',
      'timeout -k 5 10 rm x',
      'timeout 5s rm x',
      'nohup nice rm x',
      'nice -n 5 rm x',
      'time -p rm x',
      'watch -n 1 rm x',
      'ionice -c 3 rm x',
      'setsid rm x',
      'builtin rm x',
      'command rm x',
      'stdbuf -oL rm x',
      'ls | xargs rm',
      'ls | xargs -0 rm',
      '>x rm y',
      'echo "unclosed; rm x',
      "echo 'unclosed; rm x",
      'echo $(unclosed; rm x',
      'ls\rrm\nrm x',
      'rm x # comment',
    ];
    expect(decidedOtherwise('deny', hidden, deny)).toEqual([]);
  });

  it('holds for text that bash reads as commands in less common ways', () => {
    const hidden = [
      '(( 1 <<A ))\nrm x\nA',
      'a[1<<A]=3\nrm x\nA]=3',
      'for (( i=1 <<A; i<2; i++ )); do ls; done\nrm x\nA',
      "bash -c -- 'rm x'",
      "bash -c -e -o errexit 'rm x'",
      'sh -c \'"$@"\' _ rm x',
      'sh -c \'exec "$@"\' _ rm x',
      "sh -c '$0 x' rm",
      "bash -c 'eval \"$1\"' _ 'rm x'",
      "mapfile -C 'rm x' -c 1 <<< a",
      "readarray -C'rm x' -c 1 lines < a",
      "compgen -C 'rm x'",
      "compgen -W '$(rm x)'",
      "complete -C 'rm x' foo",
      "PROMPT_COMMAND='rm x' bash -i",
      '. <(echo rm x)',
      "bash <(printf '%s\\n' 'rm x')",
      'bash < <(echo rm x)',
      'source <(cat <<E\nrm x\nE\n)',
      'printf -v c rm; $c x',
      'printf -vc rm; $c x',
      'command printf -v c %s rm; $c x',
      "busybox sh -c 'rm x'",
      'busybox rm x',
      "fish -c 'rm x'",
      'echo rm x | fish',
      'prlimit --nofile=10 rm x',
      'linux64 rm x',
      'setpriv --reuid 1 rm x',
    ];
    expect(decidedOtherwise('deny', hidden, deny)).toEqual([]);
  });

  it('does not reach for what only looks like it', () => {
    const innocent = [
      'echo rm x',
      'git rm x',
      'echo "rm x"',
      'ls # rm x',
      'cat rm.txt',
      'rmdir x',
      "echo 'a; rm x'",
      'echo a\\;rm x',
      'command -v rm',
      "cat <<'EOF'\n$(rm x)\nEOF",
      'cat <<A\nrm x\nA',
      'echo [a] $((1)) <<A\nrm x\nA',
      'diff <(echo rm x) a',
      'bash a.sh "$(echo rm x)"',
      'bash -c \'echo "$1"\' _ rm',
      "bash -c 'ls' rm x",
      'printf -v c rm; ls',
      'mapfile -t lines < rm',
    ];
    expect(decidedOtherwise('allow', innocent, deny)).toEqual([]);
  });
});

describe('a critical removal', () => {
  it('asks even in bypassPermissions', () => {
    const critical = [
      'rm -rf /',
      'rm -rf "/"',
      'rm -rf $HOME',
      'rm -rf "${HOME}"/',
      'rm -rf ~/',
      'rm -rf ..',
      'rm -rf ../..',
      'rm -rf ./*',
      'rm -rf *',
      'cd / && rm -rf *',
      'rm -rf /home/u/proj/',
      'rm -rf "$X/"',
      'rm -rf ${X}/*',
      'rm -rf $X/',
      'sudo rm -rf /',
      '(rm -rf /)',
      'rm -rf -- /',
      '/bin/rm -rf /',
      'rm -rf /usr/../',
      'rmdir /tmp',
      'rm -rf {/,x}',
      'echo $(rm -rf ~)',
      'rm -rf src/..',
      'A=1 rm -rf /',
      'if ls; then rm -rf /; fi',
      'rm -rf $PWD',
      'rm -r /*/',
      'rm -rf `pwd`/*',
      "'rm' -rf /",
      'xargs rm -rf /',
    ];
    expect(decidedOtherwise('ask', critical, { mode: 'bypassPermissions' })).toEqual([]);
  });

  it('is no removal of something in particular', () => {
    const benign = [
      'rm -rf dist/',
      'rm -rf /home/u/proj/dist',
      'rm -rf $X',
      'rm -rf node_modules/*',
      'rm -rf /tmp/x',
      'rm -rf "$DIR"/build',
      'cd dist && rm -rf *',
      'echo rm -rf /',
      'rm -rf ./a ./b',
      'rm *.log',
    ];
    expect(decidedOtherwise('allow', benign, { mode: 'bypassPermissions' })).toEqual([]);
  });
});

describe('rules for files', () => {
  it('hold for the files that commands name', () => {
    const deny = ['Read(.env)', 'Read(~/.ssh/**)', 'Edit(/locked/**)', 'Read(/secrets/**)'];
    const denied = [
      'cat .env',
      'cat ./.env',
      'cat src/../.env',
      'cat .e""nv',
      'head -c5 .env',
      'cat<.env',
      'sudo cat .env',
      'cat $HOME/.ssh/id',
      'cat "${HOME}"/.ssh/id',
      'cat ~/.ssh/id',
      'cd src && cat ../.env',
      'grep -r x secrets',
      'grep x -f.env y',
      'while read l; do echo $l; done < .env',
      'echo $(cat .env)',
      'git show HEAD:.env',
      'echo x > .env',
      'cp .env x',
      'echo x > locked/a',
      'touch locked/a',
      'mv a locked/b',
      "sed -i 's/a/b/' locked/a",
      'rm locked/a',
      'echo $X >> locked/a',
      'echo .env | xargs cat',
      'cat {a,.env}',
      'cat .en{v,x}',
      'cat {a,{b,.e}nv} c',
      'cat {.env,${x}} {{a},.env}',
      'cat {.env,{a}}',
      'cat {a},.env}',
      'cat {x/../{.env,b}}',
      'cat .{d..f}nv',
      `cat {.env,${'a,'.repeat(70)}b}{,c}`,
      'find -files0-from .env',
      'for f in a .env; do cat $f; done',
      'for f in a .e; do cat "./${f}nv"; done',
      'F=.env; cat "$F"',
      'D=locked; rm $D/a',
      'cat /proc/self/cwd/.env',
      'cat //proc/./thread-self/cwd/src/../.env',
      'cat /proc/$$/root/home/u/.ssh/id',
      'cd src && cat /proc/self/task/1/cwd/../.env',
      'echo x > /proc/self/cwd/locked/a',
      'tee locked/a',
      'ln .env b',
      'dd if=/dev/null of=locked/a',
      'truncate -s 0 locked/a',
      'F=locked; tee $F/{b,a}',
    ];
    expect(decidedOtherwise('deny', denied, { deny, mode: 'bypassPermissions' })).toEqual([]);
    const fine = ['cat .env.example', 'cat locked/a', 'echo .env', 'cat *.ts', 'ls'];
    expect(decidedOtherwise('allow', fine, { deny })).toEqual([]);
  });

  it('ask if a folder or what git remembers may hold what must not be read', () => {
    const asking = [
      'grep -r foo .',
      'grep -rn foo src',
      'grep --recursive foo',
      'grep -drecurse foo',
      'grep --directories=recurse foo .',
      'sudo grep -r foo .',
      'grep -r foo src < src',
      'grep -r foo src; cat src; ls $(pwd)',
      'git log -p',
      'git log -Sfoo',
      'git log --patch -n 1',
      'git log -U3',
      'git show',
      'git show HEAD:a --stat',
      'git show --stat v1',
      'diff -r a b',
      'git diff',
      'git diff HEAD~1',
      'git diff --stat -p',
      'git status -v',
    ];
    expect(decidedOtherwise('ask', asking, { deny: ['Read(.env)'] })).toEqual([]);
    expect(decidedOtherwise('ask', asking, { ask: ['Read(/**/*.pem)'] })).toEqual([]);
    const fine = [
      'grep foo a.txt',
      'grep -n foo src/a.ts',
      'git log --oneline -n 5',
      'git log --stat --author=me',
      'git log --format="%h %s" -5',
      'git diff --stat',
      'git diff --name-only HEAD~1',
      'git show HEAD --stat',
      'git show --name-only HEAD~2',
      'diff a b',
      'git status',
      'git status --short',
    ];
    expect(decidedOtherwise('allow', fine, { deny: ['Read(.env)'] })).toEqual([]);
  });

  it('do not ask for folders that hold nothing of what must not be read', () => {
    const deny = ['Read(~/.ssh/**)', 'Read(//etc/**)'];
    const fine = ['grep -r foo .', 'git diff', 'git log -p', 'git show'];
    expect(decidedOtherwise('allow', fine, { deny })).toEqual([]);
    const elsewhere = { deny: ['Read(/secrets/**)'] };
    expect(decidedOtherwise('allow', ['grep -r foo src'], elsewhere)).toEqual([]);
    expect(decidedOtherwise('ask', ['grep -r foo .', 'git diff'], elsewhere)).toEqual([]);
  });

  it('ask if a wildcard stands for a folder that must not be read', () => {
    const asking = ['cat s*/a', 'cat */a', 'ls -l */a', 'cat [s]*/a'];
    expect(decidedOtherwise('ask', asking, { deny: ['Read(/secrets/**)'] })).toEqual([]);
    expect(decidedOtherwise('deny', ['echo secrets/*'], { deny: ['Read(/secrets/**)'] })).toEqual(
      [],
    );
  });

  it('ask if a wildcard or a pipe may name what must not be read', () => {
    const deny = ['Read(.env)', 'Read(**/*.pem)'];
    const asking = ['cat .e*', 'cat .en?', 'cat k*.p?m', 'cat a/k*', 'echo x | cat | xargs cat'];
    expect(decidedOtherwise('ask', asking, { deny, mode: 'bypassPermissions' })).toEqual([]);
  });
});

describe('a tilde within a word that looks like an assignment', () => {
  const words = [
    'a=~/.netrc',
    'a=~',
    'A+=~/x',
    'b=c:~/x',
    'a[1]=~/x',
    'a["x"]=~/x',
    'a=:~',
    'a=b,c:~/x',
    'a="b":~/x',
    'a=$x:~/y',
    'a=\\\n~/x',
    'a=~root/x',
    'a=~+/x',
  ];

  it('is only known at run time: among arguments and in redirects, in every mode that asks', () => {
    const reading = words.map((word) => `cat ${word}`);
    expect(decidedOtherwise('ask', reading)).toEqual([]);
    const allow = ['Bash(cat *)', 'Bash(echo *)', 'Edit'];
    expect(decidedOtherwise('ask', reading, { allow })).toEqual([]);
    const writing = words.flatMap((word) => [`echo x > ${word}`, `touch ${word}`, `cp a ${word}`]);
    expect(decidedOtherwise('ask', writing, { allow, mode: 'acceptEdits' })).toEqual([]);
    expect(decidedOtherwise('deny', reading, { mode: 'dontAsk' })).toEqual([]);
    expect(decidedOtherwise('ask', ['cat < a=~/x', 'cat <<< a=~', 'echo x 2>>a=b:~/x'])).toEqual(
      [],
    );
  });

  it('is home to rules that deny', () => {
    const deny = ['Read(a=/home/u/**)', 'Edit(//home/u/proj/b=c:/home/u/x)'];
    const denied = ['cat a=~/.netrc', 'cat < a=~/x', 'echo x > b=c:~/x', 'tee b=c:~/x; rm b=c:~/x'];
    expect(decidedOtherwise('deny', denied, { deny, mode: 'bypassPermissions' })).toEqual([]);
  });

  it('is a plain character if bash does not expand it', () => {
    const fine = [
      'git log --format=~',
      'git show HEAD~1',
      'git diff HEAD~2:a HEAD~1:a',
      'cat a~ ~/proj/x',
      'grep "a=~/x" b',
      "grep 'a=b:~' b",
      'echo a=b~ x:~/y --file=~/x a\\=~ a=\\~ 1a=~',
      'ls *.ts~',
    ];
    expect(decidedOtherwise('allow', fine)).toEqual([]);
  });
});

const noCurl = { deny: ['Bash(curl *)'], mode: 'bypassPermissions' } as const;

describe('a rule that denies a program', () => {
  it('reaches it in any spelling and behind anything that runs it', () => {
    const denied = [
      '{fd}>/dev/null curl x',
      '{fd}<f curl x',
      '{a[1]}>>f curl x',
      "$\\\n'curl' x",
      '2>\\\n&1 curl x',
      '2\\\n>&1 curl x',
      '1\\\n2>f curl x',
      '"$\\\n(curl x)"',
      'cat <<E\n$\\\n(curl x)\nE',
      'cat <<E\nE\\\n\ncurl x\nE',
      'sh -c \'cat <<${E\nc"u"rl x\nE\'',
      'cat <<${ | curl x',
      "# it's \\\n$\\\n'curl' x",
      'env a.b=1 curl x',
      'env x#=1 curl x',
      'env -S "curl x"',
      'timeout .5 curl x',
      'timeout "$t" curl x',
      'taskset 1 curl x',
      'flock f curl x',
      'exec -a z curl x',
      'nice "${e:=curl}" x',
      'c"$x"url x',
      'c$e"u"rl x',
      '${e:-c"u"rl} x',
      '"${\\\ne:=curl}" x',
      '${e:-\n  curl} x',
      'command $p -- env curl x',
      'env $2> f x#=1 curl x',
      'env${e} curl x',
      '2>&- ${e}timeout -k 1 5s {,curl} x',
      'nice `$":` c${e}url x',
      'nice $(":") curl x',
      "bash$e -c 'curl x'",
      '${e}find . -exec curl x +',
      '${e}eval "curl x"',
      '$x curl x',
      '`:` curl x',
      '"$@" sudo curl x',
      '{,} curl x',
      '{c,d}url x',
      'c{u..u}rl x',
      'c{u.\\\n.u}rl x',
      "$'curl\\0y' x",
      'x=curl; $x y',
      '{ for x in curl; do $x y; done; }',
      '"`c\\"u\\"rl x`"',
      "echo $(case a in a) c'u'rl x;; esac)",
      'echo "$(case a in a) c$(:)url x;; esac)"',
      'echo "$(# )\nc\'u\'rl x)"',
      'echo "$(cat <<E\n)\nE\nc\'u\'rl x)"',
      "echo \"${x:-'}\"; curl 'a'",
      'eval c$e"u"rl x',
      "bash -ec 'curl x'",
      "bash -cx 'A=1 curl x'",
      '2>&-curl x',
      '<& -c"u"rl x',
      "trap 'curl x' EXIT",
      "alias w='curl x'\nw",
      "find . -exec curl {} ';'",
      "let 'a[$(curl x)]=1'",
      "x='a[$(curl x)]'; echo $((x))",
      '${ curl x; }',
      ': $((#$(curl x)\n))',
      '(( #$(curl x)\n))',
      'a[ #$(curl x)\n]=1',
      'echo $[ #$(curl x)\n]',
      `${'echo $('.repeat(22)}c"u"rl x${')'.repeat(22)}`,
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
  });

  it('takes a program whose name is no plain literal for a wrapper around any word behind it', () => {
    const programs = [
      '"$x"',
      '${x[0]}',
      'x=env; "$x"',
      'e=en; ${e}v',
      'e{n,}v',
      'e?v',
      '/usr/bin/en[v]',
      '"$(command -v env)"',
      '`which env`',
      'HOME=/usr/bin/env; ~',
      'timeout 5 "$x"',
      'sudo -u bob "$x"',
      'if "$x"',
    ];
    const behind = [
      'curl a',
      '-n 5 curl a',
      '--user=bob a=1 curl a',
      "-c 'cd b; curl a'",
      '"$y" c"u"rl a',
    ];
    const denied = programs.flatMap((program) => behind.map((words) => `${program} ${words}`));
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
  });

  it('reads the name itself for a wrapper and its command', () => {
    const denied = [
      '{env,curl} a',
      '{sudo,-u,bob,curl} a',
      '{timeout,5,curl} a',
      '{nice,-n,{10..12},c{u..u}rl} a',
      '{env,${x},curl} a',
      '{env,\\{,curl} a',
      'x="env curl"; $x a',
      'x="sudo -u bob curl"; env "$x" a',
      'x=env; y=curl; $x -i $y a',
      `x=curl; ${'$e '.repeat(40)}$x a`,
      '${e:-env curl} a',
      '${e/x/curl} a',
      '$(which curl) a',
      '$(echo c""url) a',
      '"$(command -v curl)" a',
      '`which curl` a',
      'c?rl a',
      'env c* a',
      'c[u]rl a',
      'c$(echo u)rl a',
      'x=$(echo u); c${x}rl a',
      '{,}${e-c"u"rl} a',
      '[c]* a',
      '"c$x" a',
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
    const push = { deny: ['Bash(git push *)'], mode: 'bypassPermissions' } as const;
    const pushes = ['g?t push -f', 'x=git y=push; $x $y', 'g$(:)t push'];
    expect(decidedOtherwise('deny', pushes, push)).toEqual([]);
    expect(decidedOtherwise('allow', ['g?t status', '"$x" status'], push)).toEqual([]);
  });

  it('reaches through names that the line itself defines, if it runs what it is given', () => {
    const denied = [
      'f() { "$@"; }; f curl a',
      'f() { env "$@"; }; f -i curl a',
      'function f { eval "$*"; }\nf "cd b; curl a"',
      'f() { local p=$1; shift; $p "$@"; }; if f curl a; then ls; fi',
      'shopt -s expand_aliases; alias w=env\nw curl a',
      'hash -p /usr/bin/env w; w curl a',
      'set -- curl a; "$@"',
      'f() { env "$@="; }; f curl a',
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
  });

  it('reaches the text that a shell reads from its input', () => {
    const denied = [
      "echo 'curl a' | sh",
      "echo 'curl a' |\nsh",
      "printf '%s\\n' 'cd b' 'curl a' | sudo bash -s",
      "echo -e 'cd b\\ncurl a' | cat | bash",
      "bash <<< 'curl a'",
      'bash <<E\ncurl a\nE',
      "sh -x <<'E'\ncd b && curl a\nE",
      "cat <<'E' | bash\ncurl a\nE",
      "{ cat; } <<'E' | sh\ncurl a\nE",
      "cat > run.sh <<'E'\ncurl a\nE\nbash run.sh",
      'echo \'curl a\' | "$SHELL"',
      'echo curl a | xargs env',
      "echo 'curl a' | xargs -I{} sh -c {}",
      `bash ${'-c '.repeat(20)}'curl a'`,
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
  });

  it('reaches it behind words that braces make', () => {
    const denied = [
      'setsid -w env -u A {e=nv,curl} a',
      'env {a,b}=1 {c=d,curl} a',
      'sudo {a=1,-u,bob,curl} a',
      "bash {-c,'curl a'}",
      'find . {-exec,curl} {} +',
      "trap {'curl a',EXIT}",
      "env {-S,'curl a'}",
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
    const fine = ['env {a,b}=1 node a', 'echo {a=1,curl} a', 'env ls {a=1,curl} a'];
    expect(decidedOtherwise('allow', fine, noCurl)).toEqual([]);
  });

  it('reaches it wherever a backslash joins two lines', () => {
    const denied = [
      "$esac\\\nfi'curl' a",
      "$e\\\n\\\nf'curl' a",
      "# it's\n$e\\\nf'curl' a",
      '"$e\\\nf"curl a',
      "${e\\\nf}'curl' a",
      "$\\\n{e}'curl' a",
      'echo $\\\n(\\\n(1+$(curl a)))',
      'echo $(ca\\\nse a in a) c$e\\\nf"u"rl a;; es\\\nac)',
      'cat <\\\n<E\n$(curl a)\nE',
      'cat <<E\\\nF\nx\nEF\nc"u"rl a',
      ':&\\\n&curl a',
      ':>\\\n&2; curl a',
      'i\\\nf curl a; then :; fi',
      'f\\\ng() { "$@"; }; fg curl a',
      'echo curl | xargs -\\\nI% env % a',
      'case a in \\\na) curl a;; esac',
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
  });

  it('reaches the words that a program reads from its input, with its quotes', () => {
    const denied = [
      'xargs ionice<<E\n-c2 -n7 "c\\\nurl" a\nE',
      'xargs env <<E\n-i c\\\\url a\nE',
      'xargs env <<E\n-i c${e}url a\nE',
      'xargs env <<E\n-i curl a',
      "xargs env <<'E'\na=1 c'u'rl a\nE",
      'xargs env <<< "c\\u\'r\'l a"',
      "xargs -n1 env <<< 'ls curl'",
      'xargs bash <<< "-c \'curl a\'"',
      'xargs bash -c <<< "\'curl a\'"',
      "xargs find . <<< '-exec curl {} ;'",
      'xargs env -S <<< "\'curl a\'"',
      `echo "c'u'rl a" | xargs env`,
      "printf 'ls\\ncurl' | xargs -n1 env",
      "printf 'c%sl a' ur | xargs env",
      "printf '%s' c u r l | xargs env",
      'echo curl a | (cat; xargs env)',
      'echo curl | xargs -I% env % a',
      'echo ur | xargs -I % env c%l a',
      'xargs env < <(echo curl a)',
      'xargs env <<< "$(echo curl) a"',
      'x=curl; xargs env <<< "$x a"',
      'parallel ::: "curl a"',
      'parallel env {} a ::: curl',
      'parallel env <<< \'c"u"rl a\'',
      'echo curl a | parallel',
      'bash <<E\nc\\\\url a\nE',
    ];
    expect(decidedOtherwise('deny', denied, noCurl)).toEqual([]);
    const fine = [
      'xargs cat <<< "curl a"',
      'xargs grep curl <<E\na.ts\nE',
      'xargs -I% cat % <<< a',
      'xargs -n1 ls <<< curl',
      'parallel ls ::: curl',
      'cat > a <<E\ncurl x\nE\nls | xargs cat',
    ];
    expect(decidedOtherwise('allow', fine, noCurl)).toEqual([]);
  });

  it('reaches it behind more programs that read words than are followed, and deep in a line', () => {
    const many = 'xargs ls; '.repeat(20);
    const deep = `${'$('.repeat(8)}xargs env <<< "curl a"${')'.repeat(8)}`;
    const hidden = [
      `${many}echo curl a | xargs env`,
      `${'echo b | xargs ls; '.repeat(20)}echo curl a | xargs env`,
      `${many}xargs env <<< 'curl a'`,
      deep,
      'env -Sc${e}url a',
      ": ${z:-$(shopt -s expand_aliases; alias w='#\\\n'\\''curl'\\'' a'\nw)}",
      ': ${z:-$(ls #\\\ncurl a\n)}',
      'env -iSc${e}url a',
      'env --split-string=c${e}url a',
    ];
    expect(decidedOtherwise('deny', hidden, noCurl)).toEqual([]);
  });

  it('does not reach what only speaks of it', () => {
    const fine = [
      'echo "curl x"',
      "echo 'a; curl x'",
      "git commit -m \"$(cat <<'E'\nfix: (curl is gone)\n\nIt's not needed; curl x\nE\n)\"",
      'echo a # curl x',
      '[ -f a ] && ls # not `curl x`',
      '(( a > 1 )) # not $(curl x)',
      'grep -rn "curl " src',
      'env A=curl node a.js',
      'timeout 5 node curl x',
      "cat <<'E'\n$(curl x)\nE",
      'x=curl; echo $x',
      'curling x',
      'foo curl y',
      'foo c?rl y',
      'env foo curl y',
      'case "$x" in curl) ls;; esac',
      'case $x in curl) ls;; esac',
      'for f in "$x" curl; do ls; done',
      '"$x" --build .',
      '"$x"/build.sh a',
      '${CC:-gcc} -o out main.c',
      'c?t curly',
      '[ "$x" = curl ]',
      '[[ $x == curl ]]',
      'log() { echo "$@"; }; log curl is gone',
      "cat > README.md <<'E'\ncurl x\nE",
      'echo curl x | cat',
      'echo curl x | xargs cat',
      'find . -name curl -exec ls {} +',
    ];
    expect(decidedOtherwise('allow', fine, noCurl)).toEqual([]);
  });
});
