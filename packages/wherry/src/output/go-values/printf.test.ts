import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoInt, type GoValue, goString, goValue, textOf } from './go-value.ts';
import { printAll, printLine } from './print.ts';
import { printFormat } from './printf.ts';

const int = (value: number) => new GoInt(value);
const shown = (format: string, ...values: GoValue[]) => textOf(printFormat(goString(format), values));

/** Rows of a format, values and what Go 1.26 writes. */
function check(...rows: [text: string, format: string, ...values: GoValue[]][]): void {
  for (const [text, format, ...values] of rows) assert.equal(shown(format, ...values), text, format);
}

test('whole numbers have widths, signs and bases', () => {
  check(
    ['42    42|42   |00042|+42| 42', '%d %5d|%-5d|%05d|%+d|% d', ...Array(6).fill(int(42))],
    ['2a|2A|0x2a|52|052|0o52|101010', '%x|%X|%#x|%o|%#o|%O|%b', ...Array(7).fill(int(42))],
    [`*|'*'|U+002A|U+002A '*'`, '%c|%q|%U|%#U', ...Array(4).fill(int(42))],
    ['    07||     |-ff|-FF', '%6.2d|%.0d|%5.0d|%x|%X', int(7), int(0), int(0), int(-255), int(-255)],
    ['3    |3    |+0003| 0003', '%-05d|%0-5d|%+05d|% 05d', ...Array(4).fill(int(3))],
    ['-9223372036854775808', '%d', new GoInt(-(2n ** 63n))],
    [`'�' '�'`, '%q %q', int(0xd800), int(1_114_112)],
  );
});

test('other numbers have precisions, exponents and as few digits as mean them', () => {
  check(
    [
      '1.500000|1.00|   3.142|2.2     |-0003.70|+1.0',
      '%f|%.2f|%8.3f|%-8.1f|%08.2f|%+.1f',
      1.5,
      1.005,
      Math.PI,
      2.25,
      -3.7,
      1,
    ],
    [
      '1.234568e+04|1.500000E+00|1e+21|1E-10|1.23e+05',
      '%e|%E|%g|%G|%.3g',
      12345.678,
      1.5,
      1e21,
      1e-10,
      123456,
    ],
    ['1e+06 100000 1.234567895e+08 1e-05 0.0001', '%v %v %v %v %v', 1e6, 1e5, 123456789.5, 1e-5, 1e-4],
    ['0.1000000000 0 2 2 1.235e+05', '%.10f %.0f %.0f %.0f %.3e', 0.1, 0.5, 1.5, 2.5, 123456],
    ['0.100000000000000005551115123126 0.10000000000000000555', '%.30g %.20f', 0.1, 0.1],
    [
      '0x1.8p+00|6755399441055744p-52|0x1.fep+07|-0X1.4P+00|0x1.00p+01',
      '%x|%b|%x|%X|%.2x',
      1.5,
      1.5,
      255,
      -1.25,
      1.999,
    ],
    ['1.00000 1.00 1. 0x1.0000p+00', '%#g %#.3g %#.0f %#x', 1, 1, 1, 1],
    ['0.0 0e+00 0 10000000000000000000000.000000', '%.1f %.0e %g %f', 0, 0, 0, 1e22],
  );
});

test('strings are cut and padded by code points, and shown as bytes', () => {
  check(
    ['héllo|     héllo|héllo     |hé', '%s|%10s|%-10s|%.2s', ...Array(4).fill(goString('héllo'))],
    [`${String.raw`"hé"|"h\u00e9"|`}\`hé\``, '%q|%+q|%#q', ...Array(3).fill(goString('hé'))],
    ['68c3a9|68C3A9|68 c3 a9|0x68 0xc3 0xa9', '%x|%X|% x|%# x', ...Array(4).fill(goString('hé'))],
    [String.raw`"\xff\x00\n\u200b\ufeff"`, '%q', `\xff\0\n${goString('\u200b\ufeff')}`],
    ['0000a|a    |00"a"|0true|<nil>', '%05s|%-05s|%05q|%05t|%5v', 'a', 'a', 'a', true, null],
  );
});

test('maps and lists hand the verb on to what they hold', () => {
  const map = goValue({ b: [1, null], a: 'x' });
  check(
    ['map[a:x b:[1 <nil>]]', '%v', map],
    ['map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil)}}', '%#v', map],
    ['map["a":"x" "b":[\'\\x01\' <nil>]]', '%q', map],
    ['map[%!d(string=a):%!d(string=x) %!d(string=b):[1 <nil>]]', '%d', map],
    [
      'map[string]interface {} []interface {} int64 int float64 bool string <nil>',
      '%T %T %T %T %T %T %T %T',
      map,
      [],
      goValue(1),
      int(1),
      1.5,
      true,
      '',
      null,
    ],
    ['in|    s|<nil>', '%.2T|%5.1T|%.1T', int(1), 'a', null],
    ['5 "a" 1.5 true 0x61', '%#v %#v %#v %#v %#v', int(5), 'a', 1.5, true, new GoInt(97, 'uint8')],
  );
});

test('what does not fit is said inside of the text', () => {
  check(
    [
      '%!d(string=x) %!s(int=1) %!d(float64=1.5) %!d(bool=true) %!t(int=1) %!d(<nil>)',
      '%d %s %d %d %t %d',
      'x',
      int(1),
      1.5,
      true,
      int(1),
      null,
    ],
    ['%!d(string=    x)|%!z(int=1)', '%5d|%z', 'x', int(1)],
    ['1 %!s(MISSING)', '%d %s', int(1)],
    ['1%!(EXTRA string=a, <nil>)', '%d', int(1), 'a', null],
    ['100% %!(NOVERB)', '100%% %'],
    ['2 1', '%[2]d %[1]d', int(1), int(2)],
    ['%!d(BADINDEX)|%!d(BADINDEX)|%!d(BADINDEX)', '%[3]d|%[x]d|%[0]d', int(1)],
    [' 12.00', '%[3]*.[2]*[1]f', 12, int(2), int(6)],
    [
      '    1|2    |%!(BADWIDTH)3|%!(BADPREC)4',
      '%*d|%-*d|%*d|%.*d',
      int(5),
      int(1),
      int(5),
      int(2),
      'a',
      int(3),
      int(-1),
      int(4),
    ],
    ['%!(NOVERB)%!(EXTRA int=1)', '%10000010d', int(1)],
  );
});

test('print parts values of which none is a string, and println parts all', () => {
  const values: GoValue[] = [int(1), int(2), 'a', 'b', int(3), null];
  assert.equal(printAll(values), '1 2ab3 <nil>');
  assert.equal(printLine(values), '1 2 a b 3 <nil>\n');
});
