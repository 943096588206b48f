// Products of polynomials over GF(2), bit i the coefficient of x^i: Karatsuba down to 8 bits.

package lutra_fixed_product_pkg;

  function automatic logic [14:0] product8(logic [7:0] a, logic [7:0] b);
    logic [14:0] p;
    p = '0;
    for (int i = 0; i < 8; i++) p ^= b[i] ? {7'd0, a} << i : 15'd0;
    return p;
  endfunction

  function automatic logic [30:0] product16(logic [15:0] a, logic [15:0] b);
    logic [14:0] low, high, middle;
    low = product8(a[7:0], b[7:0]);
    high = product8(a[15:8], b[15:8]);
    middle = product8(a[7:0] ^ a[15:8], b[7:0] ^ b[15:8]) ^ low ^ high;
    return {high, 16'd0} ^ {8'd0, middle, 8'd0} ^ {16'd0, low};
  endfunction

  function automatic logic [62:0] product32(logic [31:0] a, logic [31:0] b);
    logic [30:0] low, high, middle;
    low = product16(a[15:0], b[15:0]);
    high = product16(a[31:16], b[31:16]);
    middle = product16(a[15:0] ^ a[31:16], b[15:0] ^ b[31:16]) ^ low ^ high;
    return {high, 32'd0} ^ {16'd0, middle, 16'd0} ^ {32'd0, low};
  endfunction

endpackage
