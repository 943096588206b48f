// Serpent (Anderson, Biham, Knudsen 1998), eight rounds of a group of four blocks: a register has a word of each. The
// S-boxes are the formulas of firmware/serpent, here with all of a box before the mixing.

        .global serpent_rounds
        .alias  key, ar3

serpent_rounds:
        mov     %a, m2[0x00]
        mov     %b, m2[0x10]
        mov     %c, m2[0x20]
        mov     %d, m2[0x30]
        arset   key, 0
        repeat  3, .L_end
// Round 0: S-box, then mixing and key
        orx     %t1, %a, %d, %b
        andnx   %t2, %d, %b, %c
        andx    %t3, %a, %b, %t2
        xor     %t4, %c, %t1
        xor3    %t5, %d, %c, %a
        andnx   %t6, %t3, %t4, %t5
        andx    %t7, %t3, %t4, %t5
        andnx   %t8, %t5, %t3, %t1
        rotx32  %t9, %t6, zero, 13
        rotx32  %t10, %t8, m0[key++], 3
        shlx32  %t11, %t9, %t4, 3
        arx     {%t12, %t13}, %t11, zero, %t10, 7
        xor3    %t14, %t7, m0[key++], %t10
        arx     {%t15, %t16}, %t9, zero, %t14, 1
        xor3    %t17, %t9, %t13, %t16
        rotx32  %t18, %t10, m0[key++], 22
        shlx32  %t19, %t16, %t13, 7
        rotx32  %t20, %t19, %t18, 22
        rotx32  %t21, %t17, m0[key++], 5
// Round 1: S-box, then mixing and key
        xor3    %t22, %t16, %t21, %t13
        andnx   %t23, %t16, %t21, %t20
        andnx   %t24, %t22, %t13, %t16
        xor     %t25, %t13, %t23
        andnx   %t27, %t23, %t24, %t22
        xor3    %t28, %t23, %t24, %t27
        andnx   %t31, %t27, %t28, %t23
        rotx32  %t26, %t25, m0[key++], 3
        xor3    %t29, %t27, m0[key++], %t26
        rotx32  %t30, %t26, m0[key++], 22
        rotx32  %t32, %t31, zero, 13
        arx     {%t33, %t34}, %t32, zero, %t29, 1
        shlx32  %t35, %t32, %t28, 3
        arx     {%t36, %t37}, %t35, zero, %t26, 7
        xor3    %t38, %t32, %t34, %t37
        shlx32  %t39, %t34, %t37, 7
        rotx32  %t40, %t38, m0[key++], 5
        rotx32  %t41, %t39, %t30, 22
// Round 2: S-box, then mixing and key
        xor     %t42, %t40, %t41
        andx    %t43, %t40, %t41, %t37
        orx     %t44, %t40, %t37, %t34
        xor3    %t45, %t43, %t34, %t41
        andnx   %t46, %t34, %t43, %t42
        andx    %t49, %t46, %t44, %t43
        orx     %t50, %t46, %t44, %t43
        rotx32  %t47, %t45, zero, 13
        shlx32  %t48, %t47, %t46, 3
        rotx32  %t51, %t49, m0[key++], 3
        arx     {%t52, %t53}, %t48, zero, %t51, 7
        xor3    %t54, %t50, m0[key++], %t51
        arx     {%t55, %t56}, %t47, zero, %t54, 1
        rotx32  %t57, %t51, m0[key++], 22
        shlx32  %t58, %t56, %t53, 7
        xor3    %t59, %t56, %t53, %t47
        rotx32  %t60, %t58, %t57, 22
        rotx32  %t61, %t59, m0[key++], 5
// Round 3: S-box, then mixing and key
        andnx   %t62, %t56, %t53, %t60
        andnx   %t63, %t53, %t61, %t60
        xor3    %t64, %t56, %t61, %t62
        and     %t65, %t61, %t56
        orx     %t66, %t63, %t62, %t64
        andnx   %t67, %t64, %t65, %t53
        andx    %t70, %t66, %t67, %t62
        andnx   %t72, %t70, %t65, %t63
        rotx32  %t68, %t66, zero, 13
        rotx32  %t69, %t67, m0[key++], 3
        shlx32  %t71, %t68, %t70, 3
        arx     {%t73, %t74}, %t71, zero, %t69, 7
        xor3    %t75, %t72, m0[key++], %t69
        arx     {%t76, %t77}, %t68, zero, %t75, 1
        xor3    %t78, %t68, %t74, %t77
        rotx32  %t79, %t69, m0[key++], 22
        rotx32  %t80, %t78, m0[key++], 5
        shlx32  %t81, %t77, %t74, 7
        rotx32  %t82, %t81, %t79, 22
// Round 4: S-box, then mixing and key
        orx     %t83, %t80, %t74, %t82
        orx     %t84, %t80, %t77, %t83
        xor3    %t85, %t83, %t74, %t80
        andx    %t86, %t77, %t74, %t84
        xor3    %t87, %t74, %t77, %t80
        orx     %t89, %t85, %t86, %t87
        andnx   %t90, %t86, %t77, %t87
        andnx   %t92, %t89, %t87, %t83
        rotx32  %t88, %t86, zero, 13
        rotx32  %t91, %t89, m0[key++], 3
        shlx32  %t93, %t88, %t90, 3
        arx     {%t94, %t95}, %t91, zero, %t93, 7
        xor3    %t96, %t92, m0[key++], %t91
        arx     {%t97, %t98}, %t88, zero, %t96, 1
        xor3    %t99, %t88, %t95, %t98
        rotx32  %t100, %t91, m0[key++], 22
        rotx32  %t101, %t99, m0[key++], 5
        shlx32  %t102, %t98, %t95, 7
        rotx32  %t103, %t102, %t100, 22
// Round 5: S-box, then mixing and key
        xor3    %t104, %t101, %t95, %t98
        orx     %t105, %t101, %t98, %t103
        andnx   %t106, %t95, %t101, %t98
        andnx   %t107, %t101, %t104, %t105
        andnx   %t108, %t104, %t98, %t107
        andnx   %t109, %t105, %t95, %t106
        andx    %t110, %t105, %t107, %t95
        andnx   %t111, %t105, %t108, %t104
        rotx32  %t112, %t108, zero, 13
        shlx32  %t113, %t112, %t110, 3
        rotx32  %t114, %t111, m0[key++], 3
        arx     {%t115, %t116}, %t114, zero, %t113, 7
        xor3    %t117, %t109, m0[key++], %t114
        arx     {%t118, %t119}, %t112, zero, %t117, 1
        xor3    %t120, %t112, %t116, %t119
        rotx32  %t121, %t114, m0[key++], 22
        rotx32  %t122, %t120, m0[key++], 5
        shlx32  %t123, %t119, %t116, 7
        rotx32  %t124, %t123, %t121, 22
// Round 6: S-box, then mixing and key
        andx    %t125, %t122, %t116, %t124
        orx     %t126, %t122, %t119, %t116
        xor     %t127, %t119, %t125
        andnx   %t128, %t116, %t125, %t126
        orx     %t129, %t126, %t125, %t122
        andnx   %t130, %t128, %t119, %t129
        orx     %t131, %t127, %t129, %t126
        andnx   %t134, %t130, %t131, %t125
        rotx32  %t132, %t130, zero, 13
        rotx32  %t133, %t131, m0[key++], 3
        xor3    %t135, %t127, m0[key++], %t133
        arx     {%t136, %t137}, %t132, zero, %t135, 1
        shlx32  %t138, %t132, %t134, 3
        arx     {%t139, %t140}, %t133, zero, %t138, 7
        rotx32  %t141, %t133, m0[key++], 22
        shlx32  %t142, %t137, %t140, 7
        xor3    %t143, %t137, %t140, %t132
        rotx32  %t144, %t142, %t141, 22
        rotx32  %t145, %t143, m0[key++], 5
// Round 7: S-box, then mixing and key
        andnx   %t146, %t144, %t137, %t140
        andx    %t147, %t137, %t140, %t145
        xor3    %t148, %t144, %t146, %t147
        orx     %t149, %t145, %t146, %t148
        xor3    %t150, %t137, %t147, %t149
        andnx   %t151, %t150, %t149, %t146
        andnx   %t152, %t148, %t150, %t146
        orx     %t155, %t152, %t151, %t147
        rotx32  %t153, %t151, m0[key++], 3
        rotx32  %t154, %t152, zero, 13
        shlx32  %t156, %t154, %t150, 3
        xor3    %t157, %t155, m0[key++], %t153
        arx     {%t158, %d}, %t156, zero, %t153, 7
        arx     {%t160, %b}, %t154, zero, %t157, 1
        rotx32  %t162, %t153, m0[key++], 22
        xor3    %t163, %t154, %b, %d
        shlx32  %t164, %b, %d, 7
        rotx32  %c, %t164, %t162, 22
        rotx32  %a, %t163, m0[key++], 5
.L_end:
        mov     m3[0x00], %a
        mov     m3[0x10], %b
        mov     m3[0x20], %c
        mov     m3[0x30], %d
        halt
