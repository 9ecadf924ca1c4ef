import { describe, expect, it } from 'vitest';
import { equalValues } from '../../../../src/languages/cel/value/equal.ts';
import { type CelValue, Optional } from '../../../../src/languages/cel/value/values.ts';
import { call, callInRule } from './call.ts';

describe('quantity', () => {
  const quantity = (text: string): CelValue => call('quantity', text);

  it.each([
    ['1', true],
    ['1.5Gi', true],
    ['1e3', true],
    ['+.5', true],
    ['-2E-2', true],
    ['12x', false],
    ['', false],
    ['5 Gi', false],
    ['1.2.3', false],
    ['Ei', false],
  ])('isQuantity(%j)', (text, expected) => {
    expect(call('isQuantity', text)).toBe(expected);
  });

  it.each([
    ['512Mi', 536870912n],
    ['1k', 1000n],
    ['9223372036854775807', undefined],
    ['999999999999999999', 999999999999999999n],
    ['1000m', undefined],
    ['1.5Gi', undefined],
    ['1Ei', undefined],
    ['0', 0n],
  ])('%s as an integer, within the range of Go', (text, expected) => {
    expect(call('.isInteger', quantity(text))).toBe(expected !== undefined);
    if (expected === undefined) {
      expect(() => call('.asInteger', quantity(text))).toThrow('cannot convert value to integer');
    } else {
      expect(call('.asInteger', quantity(text))).toBe(expected);
    }
  });

  it.each([
    ['100Mi', '100M', 1n],
    ['1000m', '1', 0n],
    ['1Gi', '1024Mi', 0n],
    ['0.1n', '1n', 0n],
    ['-1', '1m', -1n],
    ['100Ei', '9223372036854775807', 0n],
  ])('%s compared to %s', (a, b, expected) => {
    expect(call('.compareTo', quantity(a), quantity(b))).toBe(expected);
    expect(call('.isGreaterThan', quantity(a), quantity(b))).toBe(expected === 1n);
    expect(call('.isLessThan', quantity(a), quantity(b))).toBe(expected === -1n);
    expect(equalValues(quantity(a), quantity(b))).toBe(expected === 0n);
  });

  it('computes exactly', () => {
    const sum = call('.sub', call('.add', call('.add', quantity('50k'), 20n), quantity('0.1')), quantity('100m'));
    expect(call('.compareTo', sum, quantity('50020'))).toBe(0n);
    expect(call('.asInteger', call('.sub', quantity('1Ki'), 24n))).toBe(1000n);
    expect(call('.asApproximateFloat', quantity('250m'))).toBe(0.25);
    expect(['-5', '0', '2m'].map((text) => call('sign', quantity(text)))).toEqual([-1n, 0n, 1n]);
  });

  it('rejects out-of-range exponents', () => {
    expect(() => quantity('1e999999999')).toThrow("unable to parse quantity's suffix");
  });
});

describe('IP addresses', () => {
  const ip = (text: string): CelValue => call('ip', text);

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::1.2.3.4', true],
    ['127.0.0.256', false],
    ['01.2.3.4', false],
    ['1.2.3', false],
    [':::1', false],
    ['::ffff:1.2.3.4', false],
    ['fe80::1%eth0', false],
    ['1:2:3:4:5:6:7:8:9', false],
  ])('isIP(%j)', (text, expected) => {
    expect(call('isIP', text)).toBe(expected);
  });

  it.each([
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['2001:db8::0:0:0:abcd', '2001:db8::abcd'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is printed as %s', (text, canonical) => {
    expect(call('string', ip(text))).toBe(canonical);
    expect(call('ip.isCanonical', text)).toBe(text === canonical);
  });

  it.each([
    ['.family', '::1', 6n],
    ['.family', '1.2.3.4', 4n],
    ['.isUnspecified', '::', true],
    ['.isLoopback', '127.9.9.9', true],
    ['.isLoopback', '::1', true],
    ['.isLinkLocalMulticast', '224.0.0.7', true],
    ['.isLinkLocalMulticast', '224.0.1.1', false],
    ['.isLinkLocalMulticast', 'ff02::1', true],
    ['.isLinkLocalUnicast', '169.254.1.1', true],
    ['.isLinkLocalUnicast', 'febf::1', true],
    ['.isLinkLocalUnicast', 'fec0::1', false],
    ['.isGlobalUnicast', '192.168.0.1', true],
    ['.isGlobalUnicast', '255.255.255.255', false],
    ['.isGlobalUnicast', 'ff00::1', false],
  ] as const)('%s of %s', (name, text, expected) => {
    expect(call(name, ip(text))).toBe(expected);
  });

  it('have clear errors', () => {
    expect(() => ip('1..2.3')).toThrow(
      'IP Address "1..2.3" parse error during conversion from string: ' +
        'ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")',
    );
    expect(() => ip('::ffff:1.2.3.4')).toThrow('IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed');
  });
});

describe('CIDRs', () => {
  const cidr = (text: string): CelValue => call('cidr', text);

  it.each([
    ['192.168.0.0/16', true],
    ['192.168.0.1/16', true],
    ['::1/128', true],
    ['192.168.0.0/33', false],
    ['::1/129', false],
    ['10.0.0.0', false],
    ['10.0.0.0/08', false],
    ['::ffff:1.2.3.4/96', false],
  ])('isCIDR(%j)', (text, expected) => {
    expect(call('isCIDR', text)).toBe(expected);
  });

  it('contain addresses and networks', () => {
    const net = cidr('192.168.0.0/16');
    expect(call('.containsIP', net, '192.168.9.1')).toBe(true);
    expect(call('.containsIP', net, call('ip', '192.169.0.1'))).toBe(false);
    expect(call('.containsIP', cidr('0.0.0.0/0'), '::1')).toBe(false);
    expect(call('.containsCIDR', net, '192.168.10.0/24')).toBe(true);
    expect(call('.containsCIDR', net, cidr('192.0.0.0/8'))).toBe(false);
  });

  it('have parts', () => {
    const net = cidr('10.1.2.3/8');
    expect(call('string', call('.masked', net))).toBe('10.0.0.0/8');
    expect(call('string', call('.ip', net))).toBe('10.1.2.3');
    expect(call('.prefixLength', net)).toBe(8n);
    expect(equalValues(net, call('.masked', net))).toBe(false);
  });
});

describe('URLs', () => {
  const url = (text: string): CelValue => call('url', text);

  it.each([
    ['https://a.example', true],
    ['/only/path', true],
    ['mailto:a@b', true],
    ['http://[::1]:80/', true],
    ['http://u:p@ss@h/', true],
    ['postgres://a:1,b:2/db', true],
    ['not a url', false],
    ['a.example/x', false],
    ['', false],
    ['http://a b/', false],
    ['http://h/%zz', false],
    ['http://h:8x/', false],
    ['http://a:1:2/', false],
    ['http://[1.2.3.4]/', false],
    ['http://h/\n', false],
  ])('isURL(%j)', (text, expected) => {
    expect(call('isURL', text)).toBe(expected);
  });

  it.each([
    ['.getScheme', 'HTTPS://h/', 'https'],
    ['.getHost', 'https://me@shop.example:8443/a', 'shop.example:8443'],
    ['.getHost', 'http://h%C3%A9/', 'hé'],
    ['.getHostname', 'https://[::1]:80/', '::1'],
    ['.getPort', 'https://h.example/', ''],
    ['.getPort', 'https://h.example:443/', '443'],
    ['.getEscapedPath', 'https://h/a%20b/c#f', '/a%20b/c'],
    ['.getEscapedPath', 'https://h/a b/é', '/a%20b/%C3%A9'],
    ['.getEscapedPath', "https://h/it's(ok)", "/it's(ok)"],
    ['.getEscapedPath', 'https://h', ''],
  ])('%s of %j', (name, text, expected) => {
    expect(call(name, url(text))).toBe(expected);
  });

  it('read the query', () => {
    expect(call('.getQuery', url('/x?q=1&q=two%20words&flag&a;b=1&%zz=1&p=a+b#frag'))).toEqual({
      q: ['1', 'two words'],
      flag: [''],
      p: ['a b'],
    });
    expect(call('.getQuery', url('/x?'))).toEqual({});
  });

  it('are equal if their texts are equal', () => {
    const equal = (a: string, b: string): boolean => equalValues(url(a), url(b));
    expect(equal('HTTP://h/x', 'http://h/x')).toBe(true);
    expect(equal('http://h/é', 'http://h/%C3%A9')).toBe(true);
    expect(equal('http://h/x', 'http://h/x?')).toBe(false);
  });

  it('have clear errors', () => {
    expect(() => url('http://h/%zz')).toThrow(
      'URL parse error during conversion from string: parse "http://h/%zz": invalid URL escape "%zz"',
    );
  });
});

describe('regular expressions', () => {
  it.each([
    ['.find', ['abc 123', '[0-9]+'], '123'],
    ['.find', ['abc', 'x'], ''],
    ['.findAll', ['123 abc 456', '[0-9]*'], ['123', '', '', '', '', '456']],
    ['.findAll', ['123 abc 456', '[0-9]+', 1n], ['123']],
    ['.findAll', ['123', '[0-9]', 0n], []],
    ['.findAll', ['abc', 'x'], []],
  ] as readonly (readonly [string, readonly CelValue[], CelValue])[])('%s of %o', (name, args, expected) => {
    expect(call(name, ...args)).toEqual(expected);
  });

  it('have RE2 syntax', () => {
    expect(() => call('.find', 'a', '(?=a)')).toThrow(
      'Illegal regex: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    );
  });
});

describe('semantic versions', () => {
  const semver = (text: string): CelValue => call('semver', text);

  it.each([
    ['1.2.3', true],
    ['0.1.0-alpha.1+build.5', true],
    ['v1.0.0', false],
    ['1.0', false],
    ['01.0.0', false],
    ['1.0.0-01', false],
    ['1.0.0-', false],
    ['1.0.0+', false],
  ])('isSemver(%j)', (text, expected) => {
    expect(call('isSemver', text)).toBe(expected);
  });

  it.each([
    ['1.2.3', '1.2.3+build', 0n],
    ['1.2.3-alpha', '1.2.3', -1n],
    ['1.2.3-alpha.2', '1.2.3-alpha.10', -1n],
    ['1.2.3-beta', '1.2.3-1', 1n],
    ['1.2.3-a.b', '1.2.3-a', 1n],
    ['2.0.0', '10.0.0', -1n],
  ])('%s compared to %s', (a, b, expected) => {
    expect(call('.compareTo', semver(a), semver(b))).toBe(expected);
  });

  it('have parts', () => {
    expect(['.major', '.minor', '.patch'].map((name) => call(name, semver('1.2.3-x')))).toEqual([1n, 2n, 3n]);
  });

  it.each([
    ['v1.0', true],
    ['01.01.01', true],
    ['1', true],
    ['1.2-a', false],
    ['vv1', false],
  ])('isSemver(%j, true) in validation rules', (text, expected) => {
    expect(callInRule('isSemver', text, true)).toBe(expected);
  });

  it('are not normalized in an RGD, because kro has the first version of the library', () => {
    expect(() => call('semver', 'v1.0', true)).toThrow('no overload');
  });
});

describe('named formats of validation rules', () => {
  const validate = (name: string, text: string): CelValue =>
    callInRule('.validate', callInRule(`format.${name}`), text);

  it.each([
    ['dns1123Label', 'my-name'],
    ['dns1123Subdomain', 'a.b-c'],
    ['dns1035Label', 'a1'],
    ['dns1123LabelPrefix', 'prefix-'],
    ['qualifiedName', 'example.com/My_Name'],
    ['labelValue', ''],
    ['uri', '/x'],
    ['uuid', '123E4567-e89b-12d3-a456-426614174000'],
    ['byte', 'aGVsbG8='],
    ['date', '2020-02-29'],
    ['datetime', '2021-01-01t23:59:59.5+01:00'],
  ])('%s accepts %j', (name, text) => {
    expect(validate(name, text)).toBe(Optional.none);
  });

  it.each([
    ['dns1123Label', 'a.b', 'must not contain dots'],
    ['dns1123Label', 'a'.repeat(64), 'must be no more than 63 characters'],
    ['dns1035Label', '1a', 'start with an alphabetic character'],
    ['qualifiedName', '/x', 'prefix part must be non-empty'],
    ['qualifiedName', 'a/b/c', 'a valid label key must consist of'],
    ['uri', 'x y', 'invalid URI for request'],
    ['uuid', 'x', 'does not match the UUID format'],
    ['byte', 'aGVsbG8', 'invalid base64'],
    ['date', '2021-02-29', 'invalid date'],
    ['datetime', '2021-01-01T24:00:00Z', 'invalid datetime'],
  ])('%s rejects %j', (name, text, message) => {
    const faults = (validate(name, text) as Optional).value as readonly string[];
    expect(faults[0]).toContain(message);
  });

  it('are found by name', () => {
    expect((callInRule('format.named', 'uuid') as Optional).value).toBeDefined();
    expect(callInRule('format.named', 'nothing')).toBe(Optional.none);
  });
});
