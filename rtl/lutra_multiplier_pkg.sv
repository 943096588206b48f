// Integers of the multiplier (lutra_multiplier.sv).

package lutra_multiplier_pkg;

  import lutra_isa_pkg::*;

  localparam int unsigned SumBits = VectorBits + 5;
  localparam int unsigned InputBits = SumBits + 1;
  typedef logic [SumBits-1:0] sum_t;
  typedef logic [InputBits-1:0] input_t;

  // A number as two, whose sum it is.
  typedef struct packed {
    sum_t carry;
    sum_t bits;
  } product_t;

  // Three numbers as two.
  function automatic product_t add3(sum_t a, sum_t b, sum_t c);
    add3.bits = a ^ b ^ c;
    add3.carry = sum_t'({(a & b) | (a & c) | (b & c), 1'b0});
  endfunction

  // Four.
  function automatic product_t add4(product_t a, product_t b);
    product_t three;
    three = add3(a.bits, a.carry, b.bits);
    return add3(three.bits, three.carry, b.carry);
  endfunction

  function automatic product_t product_of(vec_t factor, logic [7:0] digit);
    sum_t [7:0] row;
    product_t low, high;
    for (int i = 0; i < 8; i++) row[i] = digit[i] ? sum_t'({8'd0, factor} << i) : '0;
    low = add3(row[0], row[1], row[2]);
    high = add3(row[3], row[4], row[5]);
    return add4(add4(low, high), {row[6], row[7]});
  endfunction

  // 2^8 (y mod 2^122) + 5 (y div 2^122) + product with a step; without one y + row + 2^128 one, the product being zero.
  function automatic input_t prime_sum(sum_t y, product_t product, logic step, vec_t row, logic one);
    logic [SumBits-123:0] top;
    logic [SumBits-120:0] five;
    product_t last;
    sum_t third;
    top = y[SumBits-1:122];
    five = {1'b0, top, 2'b0} + {3'd0, top};
    third = step ? sum_t'(five) : {5'd0, row};
    product.carry[VectorBits] |= one;
    product = add3(step ? {3'd0, y[121:0], 8'd0} : y, product.bits, product.carry);
    last = add3(product.bits, product.carry, third);
    return {1'b0, last.bits} + {1'b0, last.carry};
  endfunction

  function automatic vec_t swap_bytes(vec_t x);
    for (int i = 0; i < VectorBytes; i++) swap_bytes[8*i+:8] = x[8*(VectorBytes-1-i)+:8];
  endfunction

endpackage
