// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences of instructions that nvcc 13.0 (libdevice.10.bc) makes of expf,
// logf, tanhf and rsqrtf without -use_fast_math, the body of one entry a
// function: x is %f0, the result %f1.
#include "prec/Audit/Libdevice.h"

const prec::audit::LibdeviceSequence prec::audit::libdeviceSequences[] = {
    {sym::FunctionId::Exp, R"ptx(
	fma.rn.f32 %f2, %f0, 0f3BBB989D, 0f3F000000;
	cvt.sat.f32.f32 %f2, %f2;
	fma.rm.f32 %f3, %f2, 0f437C0000, 0f4B400001;
	add.rn.f32 %f4, %f3, 0fCB40007F;
	neg.f32 %f4, %f4;
	fma.rn.f32 %f5, %f0, 0f3FB8AA3B, %f4;
	fma.rn.f32 %f5, %f0, 0f32A57060, %f5;
	mov.b32 %r1, %f3;
	shl.b32 %r1, %r1, 23;
	mov.b32 %f6, %r1;
	ex2.approx.ftz.f32 %f7, %f5;
	mul.rn.f32 %f1, %f7, %f6;
)ptx"},
    {sym::FunctionId::Log, R"ptx(
	setp.lt.f32 %p1, %f0, 0f00800000;
	mul.rn.f32 %f2, %f0, 0f4B000000;
	selp.f32 %f2, %f2, %f0, %p1;
	selp.f32 %f3, 0fC1B80000, 0f00000000, %p1;
	mov.b32 %r1, %f2;
	add.s32 %r2, %r1, -1059760811;
	and.b32 %r2, %r2, -8388608;
	sub.s32 %r3, %r1, %r2;
	mov.b32 %f4, %r3;
	cvt.rn.f32.s32 %f5, %r2;
	fma.rn.f32 %f5, %f5, 0f34000000, %f3;
	add.rn.f32 %f4, %f4, 0fBF800000;
	mov.f32 %f6, 0fBE055027;
	fma.rn.f32 %f6, %f6, %f4, 0f3E1039F6;
	fma.rn.f32 %f6, %f6, %f4, 0fBDF8CDCC;
	fma.rn.f32 %f6, %f6, %f4, 0f3E0F2955;
	fma.rn.f32 %f6, %f6, %f4, 0fBE2AD8B9;
	fma.rn.f32 %f6, %f6, %f4, 0f3E4CED0B;
	fma.rn.f32 %f6, %f6, %f4, 0fBE7FFF22;
	fma.rn.f32 %f6, %f6, %f4, 0f3EAAAA78;
	fma.rn.f32 %f6, %f6, %f4, 0fBF000000;
	mul.rn.f32 %f6, %f4, %f6;
	fma.rn.f32 %f6, %f6, %f4, %f4;
	fma.rn.f32 %f7, %f5, 0f3F317218, %f6;
	setp.lt.u32 %p2, %r1, 2139095040;
	fma.rn.f32 %f8, %f2, 0f7F800000, 0f7F800000;
	selp.f32 %f7, %f7, %f8, %p2;
	setp.eq.f32 %p3, %f2, 0f00000000;
	selp.f32 %f1, 0fFF800000, %f7, %p3;
)ptx"},
    {sym::FunctionId::Tanh, R"ptx(
	abs.f32 %f2, %f0;
	mul.rn.f32 %f3, %f2, 0f4038AA3B;
	ex2.approx.ftz.f32 %f3, %f3;
	add.rn.f32 %f3, %f3, 0f3F800000;
	rcp.approx.ftz.f32 %f3, %f3;
	fma.rn.f32 %f3, %f3, 0fC0000000, 0f3F800000;
	setp.ge.f32 %p1, %f2, 0f41102CB4;
	selp.f32 %f3, 0f3F800000, %f3, %p1;
	copysign.f32 %f3, %f0, %f3;
	mul.rn.f32 %f4, %f0, %f0;
	mov.f32 %f5, 0f3C80F082;
	fma.rn.f32 %f5, %f5, %f4, 0fBD563CAE;
	fma.rn.f32 %f5, %f5, %f4, 0f3E085941;
	fma.rn.f32 %f5, %f5, %f4, 0fBEAAA9ED;
	fma.rn.f32 %f5, %f5, %f4, 0f00000000;
	fma.rn.f32 %f5, %f5, %f0, %f0;
	setp.ge.f32 %p2, %f2, 0f3F19999A;
	selp.f32 %f1, %f3, %f5, %p2;
)ptx"},
    {sym::FunctionId::Rsqrt, R"ptx(
	rsqrt.approx.f32 %f1, %f0;
)ptx"},
    {}};
